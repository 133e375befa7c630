/** Counts schedules and runs, for the status page and for Prometheus. */
import { endStates, openStates, type RunState, runStates, type Totals } from '../api/runs.ts';
import type { Database, Queries } from '../store/database.ts';
import { replicationNote } from './failover.ts';
import { ledgerNow } from './now.ts';

type Counts = { state: string; count: number }[];

/** Returns a counter of ended runs, of which there may be millions. A result is reused for longer if counting takes longer. */
export function createEndedCounter(database: Database): () => Promise<Counts> {
  let known: Promise<Counts> | undefined;
  return () => {
    if (known !== undefined) return known;
    const began = performance.now();
    const counting = countStates(database, endStates);
    known = counting;
    const forget = () => {
      known = undefined;
    };
    counting.then(() => {
      const tookMs = performance.now() - began;
      if (tookMs < cheapMs) forget();
      else setTimeout(forget, tookMs * restFactor).unref();
    }, forget);
    return counting;
  };
}

const cheapMs = 50;
const restFactor = 100;

function countStates(queries: Queries, states: readonly RunState[]): Promise<Counts> {
  return queries.query(
    `SELECT state, COUNT(*) AS count FROM runs WHERE state IN (${states.map(() => '?').join(', ')}) GROUP BY state`,
    states,
  );
}

export async function countTotals(database: Database, ended: () => Promise<Counts>): Promise<Totals> {
  const now = await ledgerNow(database);
  const [counts] = await database.query<Record<'schedules' | 'paused' | 'deliveries' | 'late' | 'last', number | null>>(
    `SELECT (SELECT COUNT(*) FROM schedules) AS schedules, (SELECT COUNT(*) FROM schedules WHERE paused <> 0) AS paused,
       (SELECT COUNT(*) FROM deliveries) AS deliveries, (SELECT MAX(id) FROM events) AS last,
       (SELECT COUNT(*) FROM runs WHERE state = 'waiting' AND tick_at + late_after < ?) AS late`,
    [now],
  );
  const states = [...(await countStates(database, openStates)), ...(await ended())];
  const perState = new Map(states.map(({ state, count }) => [state, count]));
  return {
    schedules: counts?.schedules ?? 0,
    paused: counts?.paused ?? 0,
    deliveries: counts?.deliveries ?? 0,
    lateNow: counts?.late ?? 0,
    lastEvent: counts?.last ?? 0,
    runs: Object.fromEntries(runStates.map((state) => [state, perState.get(state) ?? 0])) as Totals['runs'],
    now,
    storeNote: await replicationNote(database),
  };
}
