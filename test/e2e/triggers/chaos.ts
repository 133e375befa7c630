/**
 * Servers of the trigger service as real processes on one store, which are killed and stopped at any moment while its clock is
 * moved on and back; and what the emulator, which nobody kills, says was triggered.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Emulator, startEmulator } from '../../../src/emulator/index.ts';
import type { ScheduledRun } from '../../../src/triggers/api/runs.ts';
import { scheduleSpec } from '../../../src/triggers/declared/scheduleSpec.ts';
import { pendingWork } from '../../../src/triggers/ledger/pending.ts';
import { createSealer } from '../../../src/triggers/secrets/secrets.ts';
import type { Database } from '../../../src/triggers/store/database.ts';
import { openStore } from '../../../src/triggers/store/open.ts';
import { moveClock } from '../../triggers/moveClock.ts';
import { createScheduleRegistry } from '../../triggers/registry.ts';
import { start } from '../process.ts';

/** What is registered, and how often the clock is moved on. */
interface Registered {
  schedules: number;
  steps: number;
  /** Between two ticks of a schedule; a minute by default. */
  periodMs?: number;
}

export interface ChaosOptions extends Registered {
  store: string;
  servers: number;
  /** About so often, a server is killed or stopped for a while. */
  faultEveryMs: number;
  /** At least so many in each step of the clock. */
  faultsAStep?: number;
  /** Done once, half-way. */
  halfWay?: () => Promise<void>;
  /** So often in each step, the clock jumps: forth by at most three quarters of a period, and back again. */
  clockJumps?: number;
}

export interface ChaosReport {
  runs: ScheduledRun[];
  /** Ticks that there should be, as `schedule tick`. */
  ticks: string[];
  /** What the emulator accepted, as `schedule tick`. */
  accepted: string[];
  kills: number;
  pauses: number;
  seconds: number;
}

const minute = 60_000;

export async function chaos(options: ChaosOptions): Promise<ChaosReport> {
  const began = performance.now();
  const emulator = await startEmulator({ id: 'hl_1', collectors: { c_prices: { seconds: 0 } } });
  const folder = mkdtempSync(join(tmpdir(), 'wd-chaos-'));
  const env = {
    WEBDATA_API_URL: emulator.apiUrl,
    WEBDATA_API_KEY: emulator.keys.admin,
    WEBDATA_TRIGGERS_TOKEN: 'token',
    WEBDATA_TRIGGERS_STORE: options.store,
  };
  const database = await openStore(options.store);
  const fleet = createFleet(
    options.servers,
    () => start(['triggers', 'serve', '--port', '0'], { cwd: folder, env }).child,
  );
  try {
    const { ticks, step } = await registerAll(database, options);
    fleet.fill();
    const log = createLog(emulator);
    for (let passed = 1; passed <= options.steps; passed += 1) {
      await step(passed);
      await jumpAbout(passed, step, options);
      await fleet.disturb(options, () => isBegun(database));
      if (passed === Math.floor(options.steps / 2)) await options.halfWay?.();
      log.read();
    }
    await pauseAll(database, options);
    // What was asked about by a server that was killed is asked about again.
    await step(options.steps + 5);
    await untilSettled(database);
    return {
      ...fleet.counts(),
      ticks,
      runs: await allRuns(database),
      accepted: log.read(),
      seconds: (performance.now() - began) / 1000,
    };
  } finally {
    await fleet.end();
    await database.close();
    await emulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function jumpAbout(
  passed: number,
  step: (passed: number) => Promise<void>,
  { clockJumps = 0 }: ChaosOptions,
): Promise<void> {
  for (let jumps = 0; jumps < clockJumps; jumps += 1) {
    await sleep(200 * Math.random());
    await step(passed + 0.75 * Math.random());
    await sleep(200 * Math.random());
    await step(passed);
  }
}

/** What is not as it must be: each tick once, none triggered twice, and of each trigger that was accepted the ledger knows, or says that it does not. */
export function atMostOnce({ runs, ticks, accepted }: Pick<ChaosReport, 'runs' | 'ticks' | 'accepted'>): string[] {
  const tickOf = ({ schedule, tickAt }: ScheduledRun) => `${schedule} ${new Date(tickAt).toISOString()}`;
  const made = runs.filter((run) => !isNotice(run)).map(tickOf);
  const known = new Set(runs.filter(({ collectionId }) => collectionId !== null).map(tickOf));
  const last = ticks.reduce((latest, tick) => (timeOf(tick) > latest ? timeOf(tick) : latest), '');
  const doubtful = new Set(runs.filter(({ state }) => state === 'unknown').map(tickOf));
  const faults: readonly [what: string, which: readonly string[]][] = [
    ['ticks without a run', ticks.filter((tick) => !made.includes(tick))],
    // Time goes on until all are paused: what is due after the last step is another tick.
    ['runs of no tick', made.filter((tick) => !ticks.includes(tick) && timeOf(tick) <= last)],
    ['ticks with more than one run', repeated(made)],
    ['ticks that were triggered more than once', repeated(accepted)],
    ['accepted, and not known to the ledger', accepted.filter((tick) => !known.has(tick) && !doubtful.has(tick))],
    ['known to the ledger, and not accepted', [...known].filter((tick) => !accepted.includes(tick))],
  ];
  return faults.filter(([, which]) => which.length > 0).map(([what, which]) => `${what}: ${which.join(', ')}`);
}

/** After a clock that was ahead, a skipped run of no tick shows the gap in the history of each schedule. */
function isNotice({ state, reason }: ScheduledRun): boolean {
  return state === 'skipped' && reason?.startsWith('the clock of the store was ahead') === true;
}

/** Of `schedule tick`. */
function timeOf(tick: string): string {
  return tick.slice(tick.indexOf(' ') + 1);
}

function repeated(all: readonly string[]): string[] {
  return all.filter((one, index) => all.indexOf(one) !== index);
}

/** Each ticks once a period, of the ledger's clock. A long one leaves a slow machine its time between two steps of the clock. */
export async function registerAll(database: Database, { schedules, steps, periodMs = minute }: Registered) {
  const registry = createScheduleRegistry({ database, sealer: createSealer([]), policy: () => [] });
  const spec = (name: string) =>
    scheduleSpec().parse({
      collector: 'c_prices',
      every: `${periodMs / minute}m`,
      inputs: [{ url: 'https://shop.example.com' }],
      overlap: 'allow',
      catchUp: { within: `${(steps + 10) * (periodMs / minute)}m` },
      runName: `${name} {tick}`,
    });
  // The first tick is still to come when all are registered.
  const begin = Math.floor((await registry.now()) / periodMs) * periodMs + periodMs;
  await moveClock(database, begin + 1000 - (await registry.now()));
  const names = Array.from({ length: schedules }, (_, index) => `s${index}`);
  for (const name of names) await registry.putSchedule('chaos', name, spec(name));
  const offset = (await registry.now()) - Date.now();
  const ticks = names.flatMap((name) =>
    Array.from({ length: steps }, (_, index) => `${name} ${new Date(begin + (index + 1) * periodMs).toISOString()}`),
  );
  return { ticks, step: (passed: number) => moveClock(database, offset + passed * periodMs) };
}

/** Everything that is due was begun. */
export async function isBegun(database: Database): Promise<boolean> {
  const { ticks, waiting } = await pendingWork(database).catch(() => ({ ticks: true, waiting: true }));
  return !ticks && !waiting;
}

export async function pauseAll(database: Database, { schedules }: Pick<Registered, 'schedules'>): Promise<void> {
  const registry = createScheduleRegistry({ database, sealer: createSealer([]), policy: () => [] });
  for (let index = 0; index < schedules; index += 1) await registry.setPaused('chaos', `s${index}`, true);
}

export async function untilSettled(database: Database): Promise<void> {
  const deadline = Date.now() + 180_000;
  for (;;) {
    const [row] = await database.query<{ count: number }>(
      `SELECT COUNT(*) AS count FROM runs WHERE state IN ('waiting', 'triggering', 'running')`,
    );
    if (row?.count === 0) return;
    if (Date.now() > deadline) throw new Error(`${row?.count} runs did not settle`);
    await sleep(500);
  }
}

export async function allRuns(database: Database): Promise<ScheduledRun[]> {
  const registry = createScheduleRegistry({ database, sealer: createSealer([]), policy: () => [] });
  const found: ScheduledRun[] = [];
  for (;;) {
    const page = await registry.runs({ limit: 1000, after: found.at(-1)?.id });
    found.push(...page);
    if (page.length < 1000) return found;
  }
}

/** Every trigger that was accepted, by the name of its run. The emulator keeps only its last requests. */
export function createLog(emulator: Emulator) {
  const accepted: string[] = [];
  return {
    read(): string[] {
      const requests = emulator.requests();
      emulator.clearRequests();
      for (const { effect, query } of requests)
        if (effect !== null && 'started' in effect) accepted.push(String(query.name));
      return accepted;
    },
  };
}

function createFleet(size: number, launch: () => ChildProcess) {
  const alive = new Set<ChildProcess>();
  const ready = new Set<ChildProcess>();
  const counts = { kills: 0, pauses: 0 };
  const isUp = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;
  let isOver = false;
  /** There are always as many: whoever dies is followed by another. */
  const fill = () => {
    while (!isOver && alive.size < size) {
      const child = launch();
      alive.add(child);
      child.stdout?.once('data', () => ready.add(child));
      child.once('exit', () => {
        alive.delete(child);
        fill();
      });
    }
  };
  const any = () => {
    const up = [...alive].filter((child) => isUp(child) && ready.has(child));
    return up[Math.floor(Math.random() * up.length)];
  };
  return {
    fill,
    counts: () => counts,
    /** Until all that is due was begun, and for as many faults as there are to be. */
    async disturb(
      { faultEveryMs: everyMs, faultsAStep = 1 }: ChaosOptions,
      isDone: () => Promise<boolean>,
    ): Promise<void> {
      for (let faults = 1; ; faults += 1) {
        await sleep(everyMs * (0.5 + Math.random()));
        const victim = any();
        if (victim !== undefined && Math.random() < 0.7) {
          victim.kill('SIGKILL');
          counts.kills += 1;
        } else if (victim !== undefined) {
          victim.kill('SIGSTOP');
          counts.pauses += 1;
          // By another process: this one may be waiting for a lock that the stopped one holds.
          spawn('sh', ['-c', `sleep ${(everyMs * 2) / 1000}; kill -CONT ${victim.pid}`]);
        }
        if (faults >= faultsAStep && (await isDone())) return;
      }
    },
    async end(): Promise<void> {
      isOver = true;
      await Promise.all(
        [...alive].filter(isUp).map(
          (child) =>
            new Promise((done) => {
              child.once('exit', done);
              child.kill('SIGCONT');
              child.kill('SIGKILL');
            }),
        ),
      );
    },
  };
}
