/** Compares the number of rows of a result with the number that its schedule expects. */
import { counted } from '../../base/diagnostics/valueWords.ts';
import type { ScheduledRun } from '../api/runs.ts';
import type { ScheduleSpec } from '../declared/scheduleSpec.ts';
import type { Queries } from '../store/database.ts';

/** The finished runs whose median is the usual number. */
export const comparedRuns = 10;

/** Returns the expectation in words if there are fewer rows; undefined if there are enough, or nothing is expected. */
export async function tooFewRows(queries: Queries, { id }: ScheduledRun, rows: number): Promise<string | undefined> {
  const [schedule] = await queries.query<{ id: string; brief: string }>(
    'SELECT s.id AS id, s.brief AS brief FROM runs r JOIN schedules s ON s.id = r.schedule_id WHERE r.id = ?',
    [id],
  );
  const { expectRows }: Partial<ScheduleSpec> = schedule === undefined ? {} : JSON.parse(schedule.brief);
  if (schedule === undefined || expectRows === undefined) return undefined;
  if (typeof expectRows === 'number') return rows < expectRows ? `fewer than ${expectRows}` : undefined;
  const usual = await usualRows(queries, schedule.id);
  const isFewer = usual !== undefined && rows < (usual * Number.parseInt(expectRows, 10)) / 100;
  return isFewer ? `fewer than ${expectRows} of the usual ${counted(usual, 'row')}` : undefined;
}

/** Returns the median of the last finished runs; undefined if there is none. */
export async function usualRows(queries: Queries, scheduleId: string): Promise<number | undefined> {
  const last = await queries.query<{ row_count: number }>(
    `SELECT row_count FROM runs WHERE schedule_id = ? AND state = 'finished' AND row_count IS NOT NULL
     ORDER BY tick_at DESC LIMIT ${comparedRuns}`,
    [scheduleId],
  );
  return median(last.map(({ row_count }) => row_count));
}

export function median(counts: readonly number[]): number | undefined {
  return counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)];
}
