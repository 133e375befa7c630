/** Many schedules of one minute on several servers of one PostgreSQL database, and the same with a long history. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/triggers/store/database.ts';
import { type Row, type Stage, unlessReached } from '../frame/benchmark.ts';
import type { RunningEmulator } from '../frame/emulator.ts';
import { atMost, compared, pairsOf } from '../frame/pairs.ts';
import { runProcess } from '../frame/process.ts';
import { inTime } from '../frame/units.ts';
import { openTriggers, type Triggers } from './open.ts';
import { postmasterOf, processorSeconds } from './processorTime.ts';

const [many, few, servers] = [10_000, 1000, 4];
const rounds = 3;
const past = 1_000_000;
const floor = join(import.meta.dirname, '../floors/triggers.mjs');

/** `newStore` returns the address of a new database of that name. */
export async function crowdRows(
  stage: Stage,
  emulator: RunningEmulator,
  newStore: (name: string) => Promise<string>,
): Promise<Row[]> {
  const triggers = await openTriggers(stage, emulator, await newStore('crowd'), many, servers);
  await fired(triggers, few);
  const [ofFew, ofMany, withPast]: [Fired[], Fired[], Fired[]] = [[], [], []];
  const bareMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ofFew.push(await fired(triggers, few));
    ofMany.push(await fired(triggers, many));
    bareMs.push(await bareTime(stage, emulator, (part) => newStore(`bare${round}_${part}`)));
  }
  await addPastRuns(triggers.database);
  for (let round = 0; round < rounds; round += 1) withPast.push(await fired(triggers, many));
  await triggers.close();
  const latest = `triggers, the latest of ${many.toLocaleString('en')} of one minute, ${servers} servers, PostgreSQL`;
  const inPairs = pairsOf(
    ofMany.map(({ ms }) => ms),
    bareMs,
  );
  return [
    unlessReached(compared(latest, inPairs, atMost(1.3), inTime), onBusyCores),
    costRow(`${many.toLocaleString('en')} against ${few.toLocaleString('en')}`, ofMany, ofFew),
    costRow(`${past.toLocaleString('en')} past runs against none`, withPast, ofMany),
  ];
}

function costRow(what: string, ours: readonly Fired[], floors: readonly Fired[]): Row {
  const compare = pairsOf(ours.map(costOf), floors.map(costOf));
  return compared(`triggers, processor time of a tick, ${what}`, compare, atMost(1.2), inTime);
}

const costOf = ({ costMs }: Fired) => costMs;

const onBusyCores =
  'on a machine twice as fast, the servers, PostgreSQL and the emulator took 12 s of processor time for it, which is 6 s on two cores that nothing else uses';

interface Fired {
  /** The time until the last one was triggered. */
  ms: number;
  /** The processor time of the servers and the database for each run, from its tick to its result. */
  costMs: number;
}

async function fired(triggers: Triggers, count: number): Promise<Fired> {
  const processes = [...triggers.servers, await postmasterOf(triggers.database)];
  const before = processorSeconds(processes);
  const ms = await triggers.fireAll(count);
  while ((await triggers.database.query(`SELECT id FROM runs WHERE state = 'running' LIMIT 1`)).length > 0)
    await sleep(500);
  return { ms, costMs: ((processorSeconds(processes) - before) / count) * 1000 };
}

/** Returns the time of as many bare programs, each with its part of the runs in a database of its own. */
async function bareTime(
  stage: Stage,
  { env }: RunningEmulator,
  newStore: (part: number) => Promise<string>,
): Promise<number> {
  const stores: string[] = [];
  for (let part = 0; part < servers; part += 1) stores.push(await newStore(part));
  const all = await Promise.all(
    stores.map((store) => runProcess(stage, [process.execPath, floor, store, `${many / servers}`], { env })),
  );
  return Math.max(...all.map(({ stdout }) => (JSON.parse(stdout) as { ms: number }).ms));
}

/** Adds finished runs of the minutes before the schedules were made, one of each schedule in every minute. */
async function addPastRuns(database: Database): Promise<void> {
  for (let minutes = 1; minutes <= past / many; minutes += 1) {
    await database.query(
      `INSERT INTO runs (id, schedule_id, owner, schedule, target, tick_at, origin, state, exclusive, attempts, not_before, token,
         collection_id, triggered_at, ended_at, row_count, late_after, late)
       SELECT id || '_${minutes}', id, owner, name, target, at, 'tick', 'finished', 0, 1, at, 'token', 'j_' || id, at + 500, at + 6000, 1, late_after, 0
       FROM (SELECT *, since_at - ${minutes * 60_000} AS at FROM schedules) AS s`,
    );
  }
  await database.query('ANALYZE runs');
}
