/** The name of the file with the rows of a run: from what the ledger knows, so that a run has one file, also if several servers write it. */
import type { ScheduledRun } from '../api/runs.ts';
import { tickText } from '../declared/placeholders.ts';

/** Returns `SCHEDULE/TICK.RUN`, without an ending. */
export function keptName({ schedule, tickAt, id }: Pick<ScheduledRun, 'schedule' | 'tickAt' | 'id'>): string[] {
  return [schedule, `${tickText(tickAt)}.${id}`];
}
