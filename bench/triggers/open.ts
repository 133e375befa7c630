/** A trigger service in a process of its own. The benchmark registers schedules and moves the clock directly in its store. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { scheduleSpec } from '../../src/triggers/declared/scheduleSpec.ts';
import { ledgerNow } from '../../src/triggers/ledger/now.ts';
import { createSealer } from '../../src/triggers/secrets/secrets.ts';
import type { Database } from '../../src/triggers/store/database.ts';
import { openStore } from '../../src/triggers/store/open.ts';
import { moveClock } from '../../test/triggers/moveClock.ts';
import { createScheduleRegistry } from '../../test/triggers/registry.ts';
import type { Stage } from '../frame/benchmark.ts';
import type { RunningEmulator } from '../frame/emulator.ts';
import { startServer, webdata } from '../frame/process.ts';

export interface Triggers {
  database: Database;
  url: string;
  token: string;
  server: Pick<ChildProcess, 'pid'>;
  /** All servers, of which `server` is the first. */
  servers: readonly Pick<ChildProcess, 'pid'>[];
  /** Moves the next minute near, waits for it, and returns the milliseconds until the last schedule, or the last of `some`, is triggered. */
  fireAll(some?: number): Promise<number>;
  /** Registers `count` more copies with their own names, due `laterMs` later. */
  copy(count: number, prefix: string, laterMs: number): Promise<void>;
  moveClockBy(ms: number): Promise<void>;
  close(): Promise<void>;
}

const minute = 60_000;
const token = 'bench';

/** The time that an idle server may take to notice the moved clock. */
const marginMs = 2500;

const everyMinute = {
  collector: 'c_prices',
  cron: '* * * * *',
  inputs: [{ url: 'https://a.example' }],
  overlap: 'allow',
};

/** Opens it with `due` schedules for every minute, and starts servers on it. */
export async function openTriggers(
  stage: Stage,
  { env }: RunningEmulator,
  store: string,
  due: number,
  servers = 1,
): Promise<Triggers> {
  const database = await openStore(store);
  const registry = createScheduleRegistry({ database, sealer: createSealer([]), policy: () => [] });
  await registry.putSchedule('bench', 's0', scheduleSpec().parse(everyMinute));
  const copy = (count: number, prefix: string, laterMs: number) => copies(database, count, prefix, laterMs);
  await copy(due - 1, 's1', 0);
  await pause(database);
  const ready = join(stage.folder, 'triggers.json');
  const settings = { ...env, WEBDATA_TRIGGERS_TOKEN: token, WEBDATA_TRIGGERS_STORE: store };
  const children: ChildProcess[] = [];
  const keep = (child: ChildProcess) => {
    children.push(child);
    stage.keep(child);
  };
  const argv = [...webdata, 'triggers', 'serve', '--port', '0', '--ready-file', ready];
  for (let started = 0; started < servers; started += 1) await startServer({ ...stage, keep }, argv, { env: settings });
  const { url } = JSON.parse(readFileSync(ready, 'utf8')) as { url: string };
  const [server] = children;
  if (server === undefined) throw new Error('no server was started');
  return {
    database,
    url,
    token,
    server,
    servers: children,
    copy,
    moveClockBy: (ms) => moveClockBy(database, ms),
    async fireAll(some = due) {
      await endAll(database);
      const now = await ledgerNow(database);
      const tick = Math.ceil((now + marginMs) / minute) * minute;
      await moveClockBy(database, tick - marginMs - now);
      await database.query(
        'UPDATE schedules SET paused = 0, cursor_at = ?, next_at = ? WHERE id IN (SELECT id FROM schedules ORDER BY id LIMIT ?)',
        [tick - minute, tick, some],
      );
      const latest = await latestOf(database, tick, some);
      await pause(database);
      return latest;
    },
    async close() {
      for (const child of children) child.kill('SIGKILL');
      await database.close();
    },
  };
}

/** Pauses all schedules, so that none is due while the floor is measured. */
async function pause(database: Database): Promise<void> {
  await database.query('UPDATE schedules SET paused = 1');
}

/** Ends all runs, so that none is polled any more. */
async function endAll(database: Database): Promise<void> {
  for (;;) {
    const left = await count(database, `state IN ('waiting', 'triggering')`);
    if (left === 0) break;
    await sleep(200);
  }
  await database.query(`UPDATE runs SET state = 'finished', ended_at = triggered_at WHERE state = 'running'`);
}

async function latestOf(database: Database, tick: number, due: number): Promise<number> {
  for (;;) {
    await sleep(500);
    const [row] = await database.query<{ triggered: number; latest: number | null }>(
      'SELECT COUNT(triggered_at) AS triggered, MAX(triggered_at) AS latest FROM runs WHERE tick_at = ?',
      [tick],
    );
    if (row !== undefined && row.triggered >= due) return Number(row.latest) - tick;
  }
}

async function count(database: Database, where: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(`SELECT COUNT(*) AS count FROM runs WHERE ${where}`);
  return row?.count ?? 0;
}

async function moveClockBy(database: Database, ms: number): Promise<void> {
  const [row] = await database.query<{ value: number }>(`SELECT value FROM meta WHERE key = 'clock_offset'`);
  await moveClock(database, (row?.value ?? 0) + ms);
}

/** Copies a registered schedule, because registering 100,000 would take too long. */
async function copies(database: Database, many: number, prefix: string, laterMs: number): Promise<void> {
  const [one] = await database.query(`SELECT * FROM schedules WHERE name = 's0'`);
  if (one === undefined) throw new Error('nothing is registered');
  const columns = Object.keys(one);
  await database.transaction(async (queries) => {
    for (let first = 0; first < many; first += 100) {
      const rows = Array.from({ length: Math.min(100, many - first) }, (_, part) => {
        const name = `${prefix}${first + part}`;
        const row = { ...one, id: `h_${name}`, name, next_at: Number(one.next_at) + laterMs };
        return columns.map((column) => row[column as keyof typeof row] ?? null);
      });
      const values = rows.map((row) => `(${row.map(() => '?').join(', ')})`).join(', ');
      await queries.query(`INSERT INTO schedules (${columns.join(', ')}) VALUES ${values}`, rows.flat());
    }
  });
}
