/**
 * The trigger service under load: the time from the minute at which 1,000 schedules are due until the last one is triggered, on either
 * store.
 */
import { join } from 'node:path';
import { type Postgres, postgresPrograms, startPostgres } from '../test/triggers/postgres.ts';
import { absent, type Benchmark, type Row, type Stage, unlessReached } from './frame/benchmark.ts';
import { type RunningEmulator, startEmulator } from './frame/emulator.ts';
import { atMost, compared, pairs } from './frame/pairs.ts';
import { runProcess } from './frame/process.ts';
import { inTime } from './frame/units.ts';
import { crowdRows } from './triggers/crowd.ts';
import { manyRows } from './triggers/many.ts';
import { openTriggers } from './triggers/open.ts';

const due = 1000;
const latestMs = 5000;
const goal = atMost(1.3);
const account = 'id: hl_bench\ncollectors: { c_prices: { seconds: 0 } }\n';
const floor = join(import.meta.dirname, 'floors/triggers.mjs');

export const benchmark: Benchmark = {
  name: 'triggers',
  about: `**triggers**: ${due.toLocaleString('en')} schedules that are due in the same minute, from the start of that minute until the last one is triggered, on each store; against a program that writes the same number of runs, claims, sends and marks them, with the same concurrency, in an equally durable store. 10,000 schedules of one minute on four servers are compared with four of these programs, each with a quarter of the runs in a database of its own. The processor time is that of the servers and of PostgreSQL for each run, from its tick to its result.`,
  async run(stage) {
    const emulator = await startEmulator(stage, account);
    const rows = await onStore(stage, emulator, 'SQLite', (name) => Promise.resolve(join(stage.folder, `${name}.db`)));
    if (postgresPrograms === undefined)
      return [...rows, absent(what('PostgreSQL'), 'PostgreSQL', goal.text, '`apt-get install postgresql`')];
    const postgres = await startPostgres();
    try {
      rows.push(...(await onStore(stage, emulator, 'PostgreSQL', (name) => newDatabase(postgres, name))));
      return [...rows, ...(await crowdRows(stage, emulator, (name) => newDatabase(postgres, name)))];
    } finally {
      await postgres.remove();
    }
  },
};

const moreThanTheFloor =
  'ours also computes the ticks, checks and logs each request, and finds its runs by twelve indexes where the floor has one: without nine of them, the database would take about a tenth less processor time. On PostgreSQL, 1,000 runs take 0.25 s of processor time of the server, 0.15 s of the database and 0.2 s of the emulator, on two cores';

const what = (store: string) => `triggers, ${due.toLocaleString('en')} of one minute, ${store}`;

async function onStore(
  stage: Stage,
  emulator: RunningEmulator,
  name: string,
  newStore: (name: string) => Promise<string>,
): Promise<Row[]> {
  const triggers = await openTriggers(stage, emulator, await newStore('ours'), due);
  const latest: number[] = [];
  let floors = 0;
  const measured = await pairs(
    async () => {
      const lateness = await triggers.fireAll();
      latest.push(lateness);
      return lateness;
    },
    async () => {
      floors += 1;
      const store = await newStore(`floor${floors}`);
      const { stdout } = await runProcess(stage, [process.execPath, floor, store, `${due}`], { env: emulator.env });
      return (JSON.parse(stdout) as { ms: number }).ms;
    },
  );
  const rows = [
    unlessReached(compared(what(name), measured, goal, inTime), moreThanTheFloor),
    lateRow(name, Math.max(...latest)),
  ];
  if (name === 'SQLite') rows.push(...(await manyRows(stage, triggers)));
  await triggers.close();
  return rows;
}

/** Returns the row of the longest delay of all runs, including the warm-up. */
function lateRow(name: string, ms: number): Row {
  return {
    what: `triggers, the latest of them, ${name}`,
    ours: inTime(ms),
    floor: '',
    must: `≤ ${inTime(latestMs)}`,
    reached: ms <= latestMs,
  };
}

async function newDatabase({ url }: Postgres, name: string): Promise<string> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return url.replace('/postgres?', `/${name}?`);
}
