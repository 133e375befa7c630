/** Finds the runs that have changed since a moment, by the order of events: no clock is asked. */
import { type ScheduledRun, unresolvedStates } from '../api/runs.ts';
import type { Queries } from '../store/database.ts';
import { type RunRow, runOf } from './rows.ts';

/** Returns the id of the latest event; 0 if there is none. */
export async function latestEvent(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ id: number }>('SELECT id FROM events ORDER BY id DESC LIMIT 1');
  return row?.id ?? 0;
}

/** Returns the runs with later events, and all that wait for a person, by tick. */
export async function runsChangedSince(queries: Queries, event: number): Promise<ScheduledRun[]> {
  const rows = await queries.query<RunRow>(
    `SELECT * FROM runs WHERE state IN (${unresolvedStates.map((state) => `'${state}'`).join(', ')}) OR id IN (SELECT run_id FROM events WHERE id > ?) ORDER BY tick_at, id`,
    [event],
  );
  return rows.map(runOf);
}
