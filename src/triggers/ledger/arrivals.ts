/** Deliveries of finished runs: receivers report them, and those that are missing make a run `undelivered`. */
import type { RunState } from '../api/runs.ts';
import type { Database, Queries } from '../store/database.ts';
import { makeDue, makeTransition } from './transition.ts';

/** Records that the rows of a run have arrived, which shows that the service accepted it. A run that must keep them still needs its job. */
export async function recordArrival(queries: Queries, run: string, at: number): Promise<void> {
  const [row] = await queries.query<{ ended_at: number | null; keep: string | null }>(
    'UPDATE runs SET delivered_at = COALESCE(delivered_at, ?) WHERE id = ? RETURNING ended_at, keep',
    [at, run],
  );
  const set = { ended_at: row?.ended_at ?? at };
  const from: RunState[] = row?.keep === null ? ['undelivered', 'unknown'] : ['undelivered'];
  await makeTransition(queries, { run, at, from, to: 'finished', text: 'its rows have arrived', set });
}

export const arrivalDueAt = 'ended_at + deliver_within';

/** Selects finished runs whose delivery has not been reported. */
export const awaitsArrival = `state = 'finished' AND delivered_at IS NULL AND deliver_within IS NOT NULL`;

const text = 'no receiver has reported its delivery; `webdata triggers fetch` gets its rows from the service';

/** Marks runs as undelivered whose delivery should have been reported by now. */
export function flagUndelivered(database: Database): Promise<boolean[]> {
  const where = `${awaitsArrival} AND ${arrivalDueAt} < ?`;
  return makeDue(database, { where, order: arrivalDueAt, from: ['finished'], to: 'undelivered', text });
}
