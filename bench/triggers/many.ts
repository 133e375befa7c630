/** The cost of an idle server, and of one with 100,000 schedules. */
import { setTimeout as sleep } from 'node:timers/promises';
import { tickDue } from '../../src/triggers/ledger/ticking.ts';
import type { Row } from '../frame/benchmark.ts';
import { median } from '../frame/pairs.ts';
import { peakMemoryOf } from '../frame/process.ts';
import { inMegabytes, inTime } from '../frame/units.ts';
import type { Triggers } from './open.ts';
import { processorSeconds } from './processorTime.ts';

const many = 100_000;
const idleSeconds = 10;
const most = { memory: 200e6, cpu: 1.5, ms: 200 };

const pageAsks = [
  '/v1/schedules?brief=true&limit=100',
  '/v1/schedules?brief=true&limit=100&text=m77777',
  '/v1/schedules?brief=true&limit=100&after=bench/m50000',
  '/v1/runs?limit=100',
  '/v1/totals',
];

/** Measures after everything due has been triggered and paused. */
export async function manyRows(triggers: Triggers): Promise<Row[]> {
  const { database, server, copy } = triggers;
  const memory = peakMemoryOf(server);
  await database.query(`UPDATE runs SET state = 'finished', ended_at = triggered_at WHERE state = 'running'`);
  // Wait for the triggers in progress and their follow-ups, and until V8 has collected what they leave.
  await sleep(6000);
  const cpu = await cpuOf(server);
  await database.query('UPDATE schedules SET paused = 0 WHERE name = ?', ['s0']);
  await copy(many, 'm', 24 * 3_600_000);
  const answers: number[] = [];
  for (const path of pageAsks) answers.push(await answerTime(triggers, path));
  const tick = await tickTime(triggers);
  const [page, among] = [Math.max(...answers), `among ${many.toLocaleString('en')} schedules`];
  return [
    row('triggers, memory of the server', inMegabytes(memory), inMegabytes(most.memory), memory <= most.memory),
    row('triggers, CPU of an idle server', `${cpu.toFixed(2)} %`, `${most.cpu} %`, cpu <= most.cpu),
    row(`triggers, a tick ${among}`, inTime(tick), inTime(most.ms), tick <= most.ms),
    row(`triggers, the page's slowest question ${among}`, inTime(page), inTime(most.ms), page <= most.ms),
  ];
}

function row(what: string, ours: string, limit: string, reached: boolean): Row {
  return { what, ours, floor: '', must: `≤ ${limit}`, reached };
}

async function cpuOf(server: Triggers['server']): Promise<number> {
  const before = processorSeconds([server]);
  await sleep(idleSeconds * 1000);
  return ((processorSeconds([server]) - before) / idleSeconds) * 100;
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
