/**
 * The trigger service under load: how late 1,000 schedules of one minute are, what an idle server costs, and a tick among 100,000
 * schedules. Server and emulator are processes of their own. `node bench/triggers.ts [postgres://…]`; SQLite without an address.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ledgerNow, moveClock } from '../src/triggers/ledger/now.ts';
import { createRegistry } from '../src/triggers/ledger/registry.ts';
import { tickDue } from '../src/triggers/ledger/ticking.ts';
import { scheduleSpec } from '../src/triggers/scheduleSpec.ts';
import { createSealer } from '../src/triggers/secrets.ts';
import type { Database } from '../src/triggers/store/database.ts';
import { openStore } from '../src/triggers/store/open.ts';

const minute = 60_000;
/** As long as it takes to register what is due. */
const marginMs = 15_000;
const due = 1000;
const many = 100_000;
const idleSeconds = 30;
const pageAsks = [
  '/v1/schedules?brief=true&limit=100',
  '/v1/schedules?brief=true&limit=100&text=m77777',
  '/v1/schedules?brief=true&limit=100&after=bench/m50000',
  '/v1/runs?limit=100',
  '/v1/totals',
];

const folder = mkdtempSync(join(tmpdir(), 'webdata-bench-'));
const store = process.argv[2] ?? join(folder, 'triggers.db');
const children: ChildProcess[] = [];
try {
  console.log(
    `${store.includes('://') ? 'PostgreSQL' : 'SQLite'}, node ${process.version}, ${availableParallelism()} cores`,
  );
  await measure();
} finally {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const database = await openStore(store);
  const { server, url } = await startServer();
  const registry = createRegistry({ database, sealer: createSealer([]), policy: () => [] });
  const spec = scheduleSpec.parse({ collector: 'c_prices', cron: '* * * * *', inputs: [{ url: 'https://a.example' }] });
  await toJustBefore(database);
  for (let index = 0; index < due; index += 1) await registry.putSchedule('bench', `s${index}`, spec);
  const lateness = await untilTriggered(database);
  show(
    `${due} schedules of one minute: the last is triggered after`,
    `${lateness.at(-1)} ms (median ${lateness[due / 2]} ms)`,
  );
  show('memory of the server then', `${memoryOf(server)} MB`);
  await database.query('UPDATE schedules SET paused = 1');
  await untilFinished(database);
  const before = cpuOf(server);
  await sleep(idleSeconds * 1000);
  show('CPU of an idle server', `${(((cpuOf(server) - before) / idleSeconds) * 100).toFixed(2)} %`);
  await registerMany(database);
  await askAsThePage(url);
  server.kill('SIGTERM');
  await once(server, 'exit');
  for (const round of [1, 2, 3]) {
    await moveClockBy(database, minute);
    await database.query(`UPDATE schedules SET next_at = cursor_at WHERE name = 'm${round}'`);
    const start = performance.now();
    await tickDue(database);
    show(`a tick among ${many} schedules`, `${Math.round(performance.now() - start)} ms`);
  }
  await database.close();
}

async function startServer(): Promise<{ server: ChildProcess; url: string }> {
  writeFileSync(join(folder, 'account.yaml'), 'id: hl_bench\ncollectors: { c_prices: { seconds: 0 } }\n');
  const ready = join(folder, 'ready.json');
  await webdata(['emulator', '--account', 'account.yaml', '--manager-port', '0', '--ready-file', ready], {});
  const { apiUrl, keys } = JSON.parse(readFileSync(ready, 'utf8')) as { apiUrl: string; keys: { admin: string } };
  const env = {
    WEBDATA_API_URL: apiUrl,
    WEBDATA_API_KEY: keys.admin,
    WEBDATA_TRIGGERS_TOKEN: 'bench',
    WEBDATA_TRIGGERS_STORE: store,
  };
  const server = await webdata(['triggers', 'serve', '--port', '0', '--ready-file', ready], env);
  return { server, url: (JSON.parse(readFileSync(ready, 'utf8')) as { url: string }).url };
}

/** Resolves once it says where it listens. */
async function webdata(args: readonly string[], env: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../dist/src/cli/bin.js'), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

async function toJustBefore(database: Database): Promise<void> {
  const now = await ledgerNow(database, database);
  await moveClockBy(database, Math.ceil((now + marginMs) / minute) * minute - marginMs - now);
}

async function moveClockBy(database: Database, ms: number): Promise<void> {
  const [row] = await database.query<{ value: number }>(`SELECT value FROM meta WHERE key = 'clock_offset'`);
  await moveClock(database, (row?.value ?? 0) + ms);
}

/** How late each was, in ascending order. */
async function untilTriggered(database: Database): Promise<number[]> {
  for (;;) {
    await sleep(500);
    const rows = await database.query<{ late: number }>(
      'SELECT triggered_at - tick_at AS late FROM runs WHERE triggered_at IS NOT NULL ORDER BY triggered_at - tick_at',
    );
    if (rows.length >= due) return rows.map(({ late }) => late);
  }
}

async function untilFinished(database: Database): Promise<void> {
  for (;;) {
    const [row] = await database.query<{ left: number }>(
      `SELECT COUNT(*) AS left FROM runs WHERE state IN ('waiting', 'triggering', 'running')`,
    );
    if (row?.left === 0) return;
    await sleep(500);
  }
}

async function askAsThePage(url: string): Promise<void> {
  for (const path of pageAsks) {
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const start = performance.now();
      await (await fetch(url + path, { headers: { authorization: 'Bearer bench' } })).arrayBuffer();
      times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    show(`GET ${path}`, `${Math.round(times[2] ?? 0)} ms`);
  }
}

/** Copies of one that is there, as nobody waits for 100,000 requests. */
async function registerMany(database: Database): Promise<void> {
  const [one] = await database.query(`SELECT * FROM schedules WHERE name = 's0'`);
  if (one === undefined) throw new Error('nothing is registered');
  const columns = Object.keys(one);
  await database.transaction(async (queries) => {
    for (let index = 0; index < many; index += 100) {
      const rows = Array.from({ length: 100 }, (_, part) => {
        const name = `m${index + part}`;
        const row = { ...one, id: `h_${name}`, name, paused: 0, next_at: Number(one.next_at) + 3_600_000 * 24 };
        return columns.map((column) => row[column as keyof typeof row] ?? null);
      });
      const values = rows.map((row) => `(${row.map(() => '?').join(', ')})`).join(', ');
      await queries.query(`INSERT INTO schedules (${columns.join(', ')}) VALUES ${values}`, rows.flat());
    }
  });
}

/** Seconds of both kinds, in hundredths. */
function cpuOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function memoryOf({ pid }: ChildProcess): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

function show(what: string, figure: string): void {
  console.log(`${what.padEnd(64)} ${figure}`);
}
