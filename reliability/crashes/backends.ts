/** The crash matrix of the backends: kills applies and undos, and continues on other machines. */
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { Finished } from '../../test/e2e/process.ts';
import type { Campaign, CampaignStage } from '../frame/campaign.ts';
import { type History, historyFaults, ipsOf, readHistory } from '../races/sharedHistory.ts';
import { type BackendPlace, openBackendPlace } from './backendPlace.ts';
import { chargedOnce, expected, movedBy, quiet } from './checks.ts';
import { killAgain, outcomeOf, type Report } from './crashes.ts';
import { type CrashServer, type CrashStore, crashStores } from './crashStores.ts';
import { wasKilled } from './killed.ts';
import type { Kind } from './kind.ts';
import { after, before, changesInAll } from './moves.ts';
import { filePoints, type Point, requestPoints } from './points.ts';
import { settingsOf } from './undo.ts';

const [kills, killsInShort] = [90, 3];

export const backends: Campaign = {
  name: 'backends',
  about:
    'Applies and undos whose lock, runs and baseline are in a folder, on S3 (moto) or in PostgreSQL are killed (`kill -9`): before and after each write to the backend (a write is lost, takes effect after the process is dead, or is not answered; files are also cut off half-way), in the same way at each request that changes the account, and at random moments. Then other machines, each with a folder, a home, temporary files and a wrong clock of its own, read the history and continue.',
  repeat: 'npm run reliability -- backends',
  async run(stage) {
    const reports: Report[] = [];
    for (const store of crashStores) if (store.lacks === undefined) reports.push(...(await killOn(store, stage)));
    const skipped = crashStores.flatMap(({ name, lacks }) => (lacks === undefined ? [] : [`${name}: ${lacks}`]));
    return { ...outcomeOf(reports), skipped };
  },
};

async function killOn(store: CrashStore, stage: CampaignStage): Promise<Report[]> {
  await using server = await store.open(stage);
  const limit = pLimit(stage.short ? 4 : 10);
  const kinds = [
    kindOf(`apply on ${store.name}, continued by apply`, server, playApply),
    kindOf(`apply on ${store.name}, taken back by undo`, server, playTakenBack),
    kindOf(`undo on ${store.name}, continued by undo`, server, playUndo, 'undo'),
  ];
  return await Promise.all(kinds.map((kind) => killAgain(kind, stage.short ? killsInShort : kills, stage, limit)));
}

type Play = (place: BackendPlace, point: Point) => Promise<{ killed: boolean; faults: string[] }>;

const holds =
  'another machine reads the history: every call that was sent is in it, and no other is reported as done; yet another machine continues with no other information; no call is sent twice, every IP moves once and no more, and the outcome of every move is known';

function kindOf(name: string, server: CrashServer, play: Play, command: 'apply' | 'undo' = 'apply'): Kind {
  return {
    name,
    holds,
    spanMs: 400,
    async boundaries(stage) {
      await using place = await openBackendPlace(stage, server);
      if (command === 'undo') await applied(place);
      const list = join(stage.folder, `${name.replaceAll(/\W+/g, '-')}-operations`);
      const { code, stdout, stderr } = await place.played([command, '--yes'], undefined, list);
      if (code !== 0) throw new Error(`${command} ended with ${code}: ${stdout}${stderr}`);
      const writes = place.writes();
      const ofBackend = writes > 0 ? requestPoints(writes, 'backend') : filePoints(list);
      return [...ofBackend, ...requestPoints(changesInAll)];
    },
    async play(stage, point) {
      await using place = await openBackendPlace(stage, server);
      return await play(place, point);
    },
  };
}

async function playApply(place: BackendPlace, point: Point) {
  const killed = wasKilled(await place.played(['apply', '--yes'], point));
  const truth = unrecorded(place, await readHistory(await place.newMachine('reader')));
  const next = await place.newMachine('next');
  const again = await next.run('apply', '--yes', '--lock-timeout', '60');
  return {
    killed,
    faults: [
      ...truth,
      ...quiet('the apply on another machine', again),
      ...expected('places', after, place.places()),
      ...expected('settings', { logs: 7, request_stats: false }, settingsOf(place)),
      ...chargedOnce(place, after.length, changesInAll - 1),
      ...expected('changes of settings', 1, settingsSent(place)),
      ...(await completeFaults(place)),
    ],
  };
}

async function playTakenBack(place: BackendPlace, point: Point) {
  const settings = settingsOf(place);
  const killed = wasKilled(await place.played(['apply', '--yes'], point));
  const history = await readHistory(await place.newMachine('reader'));
  const truth = unrecorded(place, history);
  const hasEffect = place.emulator.requests().some(({ effect }) => effect !== null);
  const laptop = await place.newMachine('laptop');
  const undone = await laptop.run('undo', '--yes', '--lock-timeout', '60');
  const moved = place.emulator.requests().flatMap(movedBy);
  const times = Map.groupBy(moved, (ip) => ip).values();
  return {
    killed,
    faults: [
      ...truth,
      ...(hasEffect ? quiet('the undo on another machine', undone) : undoneOrRefused(undone)),
      ...expected('places', before, place.places()),
      ...expected('settings', settings, settingsOf(place)),
      ...expected(
        'IPs that moved otherwise than there and back',
        [],
        [...times].filter(({ length }) => length !== 2),
      ),
      ...(await completeFaults(place)),
    ],
  };
}

/** Checks an undo after a run without effects. A request that was on its way when the process was killed may have taken effect since. */
function undoneOrRefused(undone: Finished): string[] {
  const isRefused = undone.code === 1 && undone.stderr.includes('made a change that can be undone');
  return isRefused ? [] : quiet('the undo of a run without effects', undone);
}

async function playUndo(place: BackendPlace, point: Point) {
  const settings = await applied(place);
  const killed = wasKilled(await place.played(['undo', '--yes'], point));
  const history = await readHistory(await place.newMachine('reader'));
  const truth = unrecorded(place, history.filter(isUndo));
  const [last] = history;
  // An undo that has recorded its end is complete; a second undo would undo it.
  const isDone = last?.command === 'undo' && last.endedAt !== undefined;
  const laptop = await place.newMachine('laptop');
  const again = isDone ? undefined : await laptop.run('undo', '--yes', '--lock-timeout', '60');
  return {
    killed,
    faults: [
      ...truth,
      ...(again === undefined ? [] : quiet('the undo on another machine', again)),
      ...expected('places', before, place.places()),
      ...expected('settings', settings, settingsOf(place)),
      ...chargedOnce(place, before.length, changesInAll - 1),
      ...(await completeFaults(place, isUndo)),
    ],
  };
}

const isUndo = ({ command }: History[number]) => command === 'undo';

/** Applies on a machine, and returns the settings before. The emulator's log begins after it. */
async function applied(place: BackendPlace): Promise<unknown> {
  const settings = settingsOf(place);
  const { code, stdout, stderr } = await (await place.newMachine('earlier')).run('apply', '--yes');
  if (code !== 0) throw new Error(`apply ended with ${code}: ${stdout}${stderr}`);
  place.emulator.clearRequests();
  return settings;
}

/** Checks the history directly after the kill. */
function unrecorded({ emulator }: BackendPlace, history: History): string[] {
  const calls = history.flatMap((run) => run.calls);
  const settings = calls.filter(({ call }) => call.type === 'updateSettings');
  return [
    ...historyFaults(emulator, history),
    ...expected('changes of settings that are not in the history', true, settings.length >= settingsSent({ emulator })),
  ];
}

function settingsSent({ emulator }: Pick<BackendPlace, 'emulator'>): number {
  return emulator.requests().filter(({ effect }) => effect !== null && 'settings' in effect).length;
}

/** Checks the history in the end: it is complete, and the outcome of every move is known. */
async function completeFaults(place: BackendPlace, isCounted = (_: History[number]) => true): Promise<string[]> {
  const history = (await readHistory(await place.newMachine('auditor'))).filter(isCounted);
  const moves = history.flatMap(({ calls }) => calls).filter((call) => ipsOf(call).length > 0);
  const open = moves.filter(({ outcome }) => outcome === 'unknown');
  return [...unrecorded(place, history), ...expected('moves without an outcome', [], open)];
}
