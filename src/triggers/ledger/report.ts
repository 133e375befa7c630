/** Reports what schedules did since a moment. */
import type { RegisteredSchedule } from '../api/records.ts';
import type { ScheduleReport, SchedulesReport } from '../api/report.ts';
import { type RunState, type ScheduledRun, wrongStates } from '../api/runs.ts';
import { durationMs } from '../declared/timingSpec.ts';
import type { Database, Queries } from '../store/database.ts';
import { usualRows } from './expectedRows.ts';
import { ledgerNow } from './now.ts';
import { type RunRow, runOf } from './rows.ts';

/** Enough for a night of a schedule that ticks every minute. */
const mostListed = 1000;

export async function reportOf(
  database: Database,
  schedules: readonly RegisteredSchedule[],
  given?: number,
): Promise<SchedulesReport> {
  const until = await ledgerNow(database);
  const since = given ?? until - 24 * 60 * 60_000;
  return { until, schedules: await Promise.all(schedules.map((each) => scheduleReport(database, each, since, until))) };
}

async function scheduleReport(
  queries: Queries,
  { owner, name, spec, nextTickAt, unresolved }: RegisteredSchedule,
  since: number,
  now: number,
): Promise<ScheduleReport> {
  const of = 'FROM runs WHERE owner = ? AND schedule = ?';
  const all = [owner, name, since] as const;
  const latest = `ORDER BY tick_at DESC LIMIT ${mostListed}`;
  const wrong = wrongStates.map((state) => `'${state}'`).join(', ');
  const [counts, notable, kept, [last]] = await Promise.all([
    queries.query<{ state: RunState; count: number; triggered: number }>(
      `SELECT state, COUNT(*) AS count, COUNT(triggered_at) AS triggered ${of} AND tick_at >= ? GROUP BY state`,
      all,
    ),
    queries.query<RunRow>(`SELECT * ${of} AND tick_at >= ? AND (state IN (${wrong}) OR late = 1) ${latest}`, all),
    queries.query<{ kept: string }>(`SELECT kept ${of} AND tick_at >= ? AND kept IS NOT NULL ${latest}`, all),
    queries.query<RunRow>(
      `SELECT * ${of} AND tick_at >= ? AND row_count IS NOT NULL ORDER BY tick_at DESC LIMIT 1`,
      all,
    ),
  ]);
  const usual = last && (await usualRows(queries, runOf(last)));
  const older = unresolved.filter(({ tickAt }) => tickAt < since);
  const isOverdue = nextTickAt !== null && nextTickAt + durationMs(String(spec.lateAfter)) < now;
  return {
    owner,
    schedule: name,
    target: String(spec.collector ?? spec.dataset),
    paused: spec.paused === true,
    runs: Object.fromEntries(counts.map(({ state, count }) => [state, count])),
    triggered: counts.reduce((sum, { triggered }) => sum + triggered, 0),
    rows: last?.row_count ?? null,
    usualRows: usual ?? null,
    kept: kept.map((row) => row.kept),
    problems: [
      ...(isOverdue ? [{ what: 'overdue', tickAt: nextTickAt, run: null, reason: notFired } as const] : []),
      ...[...notable.map(runOf), ...older].flatMap(problemsOf),
    ],
  };
}

const notFired = 'no round or server has fired it';

function problemsOf({ state, late, tickAt, id: run, reason }: ScheduledRun): ScheduleReport['problems'] {
  const about = { tickAt, run, reason };
  const what = wrongStates.find((wrong) => wrong === state);
  if (what !== undefined) return [{ what, ...about }];
  if (!late) return [];
  return [{ what: state === 'skipped' ? 'missing' : 'late', ...about }];
}
