/** Two to eight machines that apply one declaration with one shared backend, while they are killed and paused. */
import { mkdtemp } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmulator } from '../../src/emulator/index.ts';
import type { Finished } from '../../test/e2e/process.ts';
import { hasMoto, startMoto } from '../../test/engine/backend/moto.ts';
import { postgresPrograms, startPostgres } from '../../test/triggers/postgres.ts';
import { chargedOnce, expected, movedBy, quiet } from '../crashes/checks.ts';
import { after, before, changesInAll, movesAccount, movesDeclaration, placesOf } from '../crashes/moves.ts';
import { openRelay, type PassedWrite } from '../crashes/relay.ts';
import type { CampaignStage } from '../frame/campaign.ts';
import { endedInWords, saidMoved } from './agreement.ts';
import { hoursOff, type Machine, newMachine } from './machine.ts';
import type { Race, Raced } from './race.ts';
import { type History, historyFaults, ipsOf, readHistory, without } from './sharedHistory.ts';

const holds =
  'every IP is moved once; never do two machines send calls at the same time or in turn; every move and every run that reported one is in the history that another machine reads; the next apply on another machine completes the rest, and an undo on yet another one brings the IPs of the last run back';

/** Much shorter than the real one, so that pauses may be short. Machines that are not disturbed have the real one: this one is busy. */
const leaseMs = 3000;

export const teams: readonly Race[] = [
  teamOn('S3', hasMoto ? undefined : 'no moto: scripts/moto.sh', async (rounds) => {
    await using moto = await startMoto();
    return await rounds({ env: moto.env, address: (name) => `s3://${moto.bucket}/${name}` });
  }),
  teamOn('PostgreSQL', postgresPrograms === undefined ? 'no PostgreSQL' : undefined, async (rounds) => {
    const postgres = await startPostgres();
    try {
      // Rounds share the database; each has an account name of its own.
      return await rounds({ env: {}, address: () => postgres.url });
    } finally {
      await postgres.remove();
    }
  }),
];

interface StoreOfTeams {
  env: Readonly<Record<string, string>>;
  address(name: string): string;
}

type WithStore = <T>(rounds: (store: StoreOfTeams) => Promise<T>) => Promise<T>;

function teamOn(where: string, lacks: string | undefined, withStore: WithStore): Race {
  let store: StoreOfTeams | undefined;
  return {
    name: `2 to 8 machines with one backend on ${where}, killed and paused`,
    holds,
    lacks,
    times: 250,
    short: 1,
    around: (runs) =>
      withStore((opened) => {
        store = opened;
        return runs();
      }),
    run: async (stage, random) => {
      if (store === undefined) throw new Error('the store is not open');
      return playRound(stage, random, store);
    },
  };
}

async function playRound(stage: CampaignStage, random: () => number, store: StoreOfTeams): Promise<Raced> {
  await using account = await openAccount(random);
  const folder = await mkdtemp(join(stage.folder, 'team-'));
  const name = `a${Math.floor(random() * 2 ** 40).toString(36)}`;
  const env = { ...account.env, ...store.env, WEBDATA_BACKEND: store.address(name) };
  const short = { WEBDATA_LEASE_SECONDS: String(leaseMs / 1000) };
  const machine = (as: string, more: Readonly<Record<string, string>> = {}) =>
    newMachine(folder, as, `account: ${name}\n${movesDeclaration}`, { ...env, ...more }, hoursOff(random));
  const count = stage.short ? 3 : 2 + Math.floor(random() * 7);
  const team = await Promise.all(Array.from({ length: count }, (_, index) => machine(`m${index + 1}`, short)));
  const ends = await Promise.all(team.map((each) => playMachine(each, account, random)));
  const next = await machine('next');
  const completed = await next.run('apply', '--yes', '--lock-timeout', '120');
  const history = await readHistory(await machine('reader'));
  const isUndone = random() < 0.4;
  const faults = [
    ...ends.flatMap(({ machine: { name: who }, disturbed, end }) =>
      disturbed === 'killed' ? [] : endedInWords(who, end),
    ),
    ...quiet('the apply on another machine', completed),
    ...expected('places', after, account.places()),
    ...chargedOnce(account, after.length, account.emulator.requests().filter((one) => movedBy(one).length > 0).length),
    ...historyFaults(account.emulator, history),
    ...missingRuns(history, ends),
    ...holderFaults(account.writes),
    ...(isUndone ? await undoFaults(await machine('laptop'), account, history) : []),
  ];
  return { cameTo: wordFor(ends), faults, figures: { ...figuresOf(ends), undos: Number(isUndone) } };
}

interface Account extends AsyncDisposable {
  emulator: Awaited<ReturnType<typeof startEmulator>>;
  env: Readonly<Record<string, string>>;
  /** In the order in which they were answered. */
  writes: readonly PassedWrite[];
  places(): string[];
  /** Resolves when a machine sends a write, or gets its answer, for the n-th time. */
  untilEvent(machine: string, number: number): Promise<void>;
}

/** Opens the account behind a relay that notes which machine sends what. Each move takes some time. */
async function openAccount(random: () => number): Promise<Account> {
  const dialect = { migrate: random() < 0.5 ? 'what-is-there' : 'all-or-nothing' } as const;
  const emulator = await startEmulator({ ...movesAccount, dialect }, { port: 0, managerPort: 0 });
  emulator.addFault({ route: 'zone/ips/migrate', fault: { kind: 'delay', ms: Math.round(50 + random() * 250) } });
  const writes: PassedWrite[] = [];
  const [events, listeners] = [new Map<string, number>(), new Map<string, () => void>()];
  const note = (headers: IncomingHttpHeaders) => {
    const who = String(headers['x-machine']);
    const number = (events.get(who) ?? 0) + 1;
    events.set(who, number);
    listeners.get(`${who} ${number}`)?.();
  };
  const upstream = (path: string) => (path.startsWith('/api/') ? emulator.managerUrl : emulator.apiUrl);
  const relay = await openRelay(upstream, {
    handlingOf: () => undefined,
    strike: () => undefined,
    arrived: note,
    passed: (write) => {
      writes.push(write);
      note(write.headers);
    },
  });
  return {
    emulator,
    writes,
    places: () => placesOf(emulator),
    untilEvent: (who, number) => new Promise((resolve) => listeners.set(`${who} ${number}`, resolve)),
    env: { WEBDATA_API_URL: relay.url, WEBDATA_MANAGER_URL: relay.url, WEBDATA_API_KEY: emulator.keys.ops },
    async [Symbol.asyncDispose]() {
      await relay.close();
      await emulator.close();
    },
  };
}

interface Played {
  machine: Machine;
  disturbed: 'killed' | 'paused' | undefined;
  end: Finished;
}

/** Applies once. Some are killed or paused: at any instant, or when they have the lock and send a call. */
async function playMachine(machine: Machine, account: Account, random: () => number): Promise<Played> {
  const [startMs, lot, isInstant, atMs, number] = [random() * 1500, random(), random() < 0.4, random(), random()];
  // S3 rounds ages down by up to two seconds.
  const pauseMs = leaseMs * (1.5 + random()) + 2000;
  const seconds = random() < 0.3 ? '0' : '60';
  await sleep(startMs);
  const { child, finished } = machine.start('apply', '--yes', '--format', 'json', '--lock-timeout', seconds);
  const moment = isInstant
    ? sleep(500 + atMs * 4000)
    : account.untilEvent(machine.name, 1 + Math.floor(number * 2 * changesInAll)).then(() => sleep(atMs * 40));
  const isOver = lot >= 0.8 || (await Promise.race([finished.then(() => true), moment.then(() => false)]));
  if (isOver) return { machine, disturbed: undefined, end: await finished };
  if (lot < 0.4) {
    child.kill('SIGKILL');
    return { machine, disturbed: 'killed', end: await finished };
  }
  child.kill('SIGSTOP');
  await sleep(pauseMs);
  child.kill('SIGCONT');
  return { machine, disturbed: 'paused', end: await finished };
}

/** Checks that no run which reported moves is missing. */
function missingRuns(history: History, ends: readonly Played[]): string[] {
  const reported = ends.map(({ end }) => saidMoved(end)).filter((ips) => ips.length > 0);
  const missing = reported.filter((ips) => !isOneRun(history, ips));
  return expected('reports of runs that the history lacks', [], missing);
}

function isOneRun(history: History, ips: readonly string[]): boolean {
  return history.some(({ calls }) => without(ips, calls.flatMap(ipsOf)).length === 0);
}

/** Checks that the calls of the machines neither overlap nor alternate: each machine applies once. */
function holderFaults(writes: readonly PassedWrite[]): string[] {
  const inOrder = writes
    .toSorted((a, b) => a.from - b.from)
    .map((write) => ({ ...write, who: write.headers['x-machine'] }));
  const turns = inOrder.filter(({ who }, index) => who !== inOrder[index - 1]?.who).map(({ who }) => who);
  const overlaps = inOrder.filter(({ who, from }, index) =>
    inOrder.slice(0, index).some((earlier) => earlier.who !== who && earlier.to > from),
  );
  return [
    ...expected('turns of the machines that send calls', [...new Set(turns)], turns),
    ...expected('calls beside those of another machine', 0, overlaps.length),
  ];
}

/** Undoes the last run, from a machine that took no part in it. */
async function undoFaults(laptop: Machine, account: Account, history: History): Promise<string[]> {
  const last = history.find(({ calls }) => calls.flatMap(ipsOf).length > 0);
  const ips = last?.calls.flatMap(ipsOf) ?? [];
  const undone = await laptop.run('undo', last?.id ?? '', '--yes');
  const back = (place: string) => ips.some((ip) => place.startsWith(`${ip} `));
  return [
    ...quiet('the undo on another machine', undone),
    ...expected('places of the undone IPs', before.filter(back), account.places().filter(back)),
    ...expected('the last run in the history', 'undo', (await readHistory(laptop))[0]?.command),
  ];
}

const happened: Readonly<Record<string, (played: Played) => boolean>> = {
  kills: ({ disturbed }) => disturbed === 'killed',
  pauses: ({ disturbed }) => disturbed === 'paused',
  'runs that lost the lock': ({ end }) => end.stdout.includes('"lock-lost"'),
  'runs that did not get the lock': ({ end }) => end.stdout.includes('"locked"'),
};

function figuresOf(ends: readonly Played[]): Record<string, number> {
  const figures = Object.entries(happened).map(([what, is]) => [what, ends.filter(is).length] as const);
  return { machines: ends.length, ...Object.fromEntries(figures) };
}

function wordFor(ends: readonly Played[]): string {
  const words = Object.entries(happened).flatMap(([what, is]) => (ends.some(is) ? [what] : []));
  return words.length > 0 ? words.join(', ') : 'all in turn';
}
