/** The cost of an idle server, and of one with 100,000 schedules. */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tickDue } from '../../src/triggers/ledger/ticking.ts';
import { limited, type Row, type Stage, unlessReached } from '../frame/benchmark.ts';
import { atMost, compared, median, pairsOf } from '../frame/pairs.ts';
import { peakMemoryOf, startServer } from '../frame/process.ts';
import { inMegabytes, inTime } from '../frame/units.ts';
import type { Triggers } from './open.ts';
import { mainThreadMs } from './processorTime.ts';

const many = 100_000;
const idle = { seconds: 4, windows: 5 };
const idleFloor = join(import.meta.dirname, '../floors/idleServer.mjs');
const most = { memory: 200e6, ms: 200 };

const pageAsks = [
  '/v1/schedules?brief=true&limit=100',
  '/v1/schedules?brief=true&limit=100&text=m77777',
  '/v1/schedules?brief=true&limit=100&after=bench/m50000',
  '/v1/runs?limit=100',
  '/v1/totals',
];

/** Measures after everything due has been triggered and paused. */
export async function manyRows(stage: Stage, triggers: Triggers): Promise<Row[]> {
  const { database, server, copy } = triggers;
  const memory = peakMemoryOf(server);
  await database.query(`UPDATE runs SET state = 'finished', ended_at = triggered_at WHERE state = 'running'`);
  // Wait for the triggers in progress and their follow-ups, and until V8 has collected what they leave.
  await sleep(6000);
  const idleServer = await idleRow(stage, server);
  await database.query('UPDATE schedules SET paused = 0 WHERE name = ?', ['s0']);
  await copy(many, 'm', 24 * 3_600_000);
  const answers: number[] = [];
  for (const path of pageAsks) answers.push(await answerTime(triggers, path));
  const tick = await tickTime(triggers);
  const [page, among] = [Math.max(...answers), `among ${many.toLocaleString('en')} schedules`];
  return [
    limited('triggers, memory of the server', inMegabytes(memory), inMegabytes(most.memory), memory <= most.memory),
    idleServer,
    limited(`triggers, a tick ${among}`, inTime(tick), inTime(most.ms), tick <= most.ms),
    limited(`triggers, the page's slowest question ${among}`, inTime(page), inTime(most.ms), page <= most.ms),
  ];
}

/** Both servers are idle at the same time. */
async function idleRow(stage: Stage, server: Triggers['server']): Promise<Row> {
  const processes = [server, { pid: Number(await startServer(stage, [process.execPath, idleFloor])) }] as const;
  // Node compiles and collects garbage after its start.
  await sleep(idle.seconds * 1000);
  const [ours, floors]: [number[], number[]] = [[], []];
  for (let window = 0; window < idle.windows; window += 1) {
    const [before, floorBefore] = processes.map(mainThreadMs) as [number, number];
    await sleep(idle.seconds * 1000);
    const [after, floorAfter] = processes.map(mainThreadMs) as [number, number];
    ours.push((after - before) / idle.seconds);
    floors.push((floorAfter - floorBefore) / idle.seconds);
  }
  const what =
    'triggers, processor time of an idle server in a second, against an idle `node:http` server with a timer';
  return unlessReached(
    compared(what, pairsOf(ours, floors), atMost(2), inTime),
    'ours also asks the store once a second whether it has changed, and closes silent connections every five seconds',
  );
}

async function answerTime({ url, token }: Triggers, path: string): Promise<number> {
  return timed(async () => {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`);
    await answer.arrayBuffer();
  });
}

/** Returns the time of the tick of one due schedule. */
async function tickTime({ database, moveClockBy }: Triggers): Promise<number> {
  await moveClockBy(60_000);
  return timed(async () => {
    await database.query(`UPDATE schedules SET next_at = cursor_at WHERE name = 'm1'`);
    await tickDue(database);
  });
}

async function timed(work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}
