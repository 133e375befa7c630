/** Compares the number of rows of a result with the number that its schedule expects. */
import { counted } from '../../base/diagnostics/valueWords.ts';
import type { ScheduledRun } from '../api/runs.ts';
import type { Queries } from '../store/database.ts';
import { specOfRun } from './schedules.ts';

/** Returns the expectation in words if there are fewer rows; undefined if there are enough, or nothing is expected. */
export async function tooFewRows(queries: Queries, run: ScheduledRun, rows: number): Promise<string | undefined> {
  const { expectRows } = (await specOfRun(queries, run.id)) ?? {};
  if (expectRows === undefined) return undefined;
  if (typeof expectRows === 'number') return rows < expectRows ? `fewer than ${expectRows}` : undefined;
  const usual = await usualRows(queries, run);
  const isFewer = usual !== undefined && rows < (usual * Number.parseInt(expectRows, 10)) / 100;
  return isFewer ? `fewer than ${expectRows} of the usual ${counted(usual, 'row')}` : undefined;
}

type Ticked = Pick<ScheduledRun, 'owner' | 'schedule' | 'tickAt'>;

/** Returns the median of the ten finished runs before a tick; undefined if there is none. */
export async function usualRows(queries: Queries, { owner, schedule, tickAt }: Ticked): Promise<number | undefined> {
  const before = await queries.query<{ row_count: number }>(
    `SELECT row_count FROM runs
     WHERE owner = ? AND schedule = ? AND tick_at < ? AND state = 'finished' AND row_count IS NOT NULL
     ORDER BY tick_at DESC LIMIT 10`,
    [owner, schedule, tickAt],
  );
  const counts = before.map(({ row_count }) => row_count).sort((one, other) => one - other);
  return counts[Math.floor(counts.length / 2)];
}
