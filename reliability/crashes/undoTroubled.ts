/** One undo that is killed under troubles, and the undos after it until one succeeds. The results are compared with the emulator's log. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readJournal } from '../../src/engine/run/journalReader.ts';
import { movedBy } from '../../src/kinds/knownCalls.ts';
import type { Result } from '../../test/cli/harness.ts';
import { journalAt } from '../../test/engine/journalAt.ts';
import { expected, lineFaults, movedBy as reallyMovedBy, truthOf } from './checks.ts';
import { wasKilled } from './killed.ts';
import type { Played } from './kind.ts';
import { before, type MovesPlace } from './moves.ts';
import type { Point } from './points.ts';
import { openApplied, settingsOf } from './undo.ts';
import { change, type ForeignChange, foreignLogs, type Troubles, trouble, troublesInWords } from './undoTroubles.ts';

type Applied = Awaited<ReturnType<typeof openApplied>>;

/** Plays the undo again without the foreign change or the fault that ended it before the point was reached. */
export async function playTroubled(point: Point, troubles: Troubles): Promise<Played> {
  const played = await playOnce(point, troubles);
  const { foreign, fault, ...calmer } = troubles;
  if (played.killed || (foreign === undefined && fault === undefined)) return played;
  const again = await playTroubled(point, foreign === undefined ? calmer : { ...calmer, ...(fault && { fault }) });
  return { ...again, faults: [...played.faults, ...again.faults] };
}

async function playOnce(point: Point, troubles: Troubles): Promise<Played> {
  await using place = await openApplied();
  trouble(troubles, place.emulator);
  const changing = troubles.foreign === undefined ? undefined : changeLater(troubles.foreign, place);
  const finished = await place.played(['undo', '--yes'], point);
  await changing;
  place.emulator.clearFaults();
  const faults = [
    ...(wasKilled(finished) ? [] : exitFaults(place, { ...finished, code: finished.code ?? 1 }, troubles)),
    ...(await truthOf(place, 'undo')),
    ...(await undoneToTheEnd(place, troubles)),
    ...redone(place, troubles),
    ...(await historyFaults(place, troubles)),
    ...(await lineFaults(place)),
  ];
  return { killed: wasKilled(finished), faults: faults.map((fault) => `${troublesInWords(troubles)}: ${fault}`) };
}

async function changeLater(foreign: ForeignChange, { emulator }: MovesPlace): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (emulator.requests().length === 0 && Date.now() < deadline) await sleep(5);
  await sleep(foreign.afterMs);
  change(foreign, emulator);
}

const mostUndos = 6;

/** Runs `undo` until it succeeds. After each refusal, the foreign change is reverted. */
async function undoneToTheEnd(place: Applied, troubles: Troubles): Promise<string[]> {
  const faults: string[] = [];
  // A second undo would undo a successful first one.
  if (await isRecordedDone(place)) return backFaults(place, troubles);
  for (let number = 1; number <= mostUndos; number++) {
    const result = await place.webdata('undo', '--yes', '--lock-timeout', '60');
    faults.push(...exitFaults(place, result, troubles));
    if (result.code === 0) return [...faults, ...backFaults(place, troubles)];
    if (troubles.foreign === undefined && number > 1)
      faults.push(`undo ${number} failed: ${result.stdout}${result.stderr}`);
    if (troubles.foreign !== undefined) putBack(place, troubles.foreign);
  }
  return [...faults, `no undo ended well: ${place.places().join(', ')}`];
}

async function isRecordedDone({ journal }: MovesPlace): Promise<boolean> {
  const last = (await readJournal(journalAt(journal))).at(-1);
  return last?.command === 'undo' && last.ended?.result === 'done';
}

/** Exit code 0 means that everything is back. */
function exitFaults(
  place: Applied,
  { code, stdout, stderr }: Pick<Result, 'stdout' | 'stderr'> & { code: number },
  troubles: Troubles,
) {
  const faults = code === 0 ? backFaults(place, troubles) : [];
  return faults.map((fault) => `exit code 0, but ${fault}\n${stdout}${stderr}`);
}

/** Ignores the IP or setting that another user changed after the undo: it stays as it is. */
function backFaults(place: Applied, { foreign }: Troubles): string[] {
  const isOthers = (ipInZone: string) => foreign?.ip !== undefined && ipInZone.startsWith(`${foreign.ip} `);
  const [wanted, found] = [before, place.places()].map((all) => all.filter((each) => !isOthers(each)));
  const isForeignSetting = foreign !== undefined && foreign.ip === undefined;
  const isLeft = isForeignSetting && place.emulator.settings().logs === foreignLogs;
  return [
    ...expected('places', wanted, found),
    ...(isLeft ? [] : expected('settings', place.settings, settingsOf(place))),
  ];
}

/** Puts the foreign change back to where this undo, or the apply before it, left the IP or the setting. */
function putBack(place: Applied, { ip }: ForeignChange): void {
  const { emulator } = place;
  if (ip === undefined) {
    const isBack = emulator.requests().some(({ effect }) => effect !== null && 'settings' in effect);
    emulator.setSettings({ logs: isBack ? (place.settings as { logs: number }).logs : 7 });
    return;
  }
  const pair = ip.split('.')[2];
  const isBack = emulator.requests().flatMap(reallyMovedBy).includes(ip);
  emulator.move([ip], `${isBack ? 'source' : 'target'}${pair}`);
}

/** Calls for IPs that an earlier call had brought back. */
function redone({ emulator }: MovesPlace, { foreign }: Troubles): string[] {
  const back = new Set<string>();
  const again: string[] = [];
  for (const request of emulator.requests().filter(({ route }) => route === 'zone/ips/migrate')) {
    const { ips } = request.body as { ips: string[] };
    again.push(...ips.filter((ip) => back.has(ip) && ip !== foreign?.ip));
    for (const ip of reallyMovedBy(request)) back.add(ip);
  }
  return expected('IPs that were sent again after they had moved', [], again);
}

/** Compares the IPs that the history calls moved with those that moved. */
async function historyFaults({ journal, emulator }: MovesPlace, { foreign }: Troubles): Promise<string[]> {
  const runs = (await readJournal(journalAt(journal))).filter(({ command }) => command === 'undo');
  const said = runs.flatMap(({ calls }) => calls.flatMap(movedBy));
  const moved = emulator.requests().flatMap(reallyMovedBy);
  const others = (ips: readonly string[]) => [...new Set(ips)].filter((ip) => ip !== foreign?.ip).toSorted();
  return [
    ...expected('IPs that moved, by the history', others(moved), others(said)),
    ...expected(
      'undos recorded as done: at most one',
      true,
      runs.filter(({ ended }) => ended?.result === 'done').length <= 1,
    ),
  ];
}
