/** Reports of the trigger service's API on schedules since a moment. */
import { z } from 'zod';
import { ledgerTime } from './fields.ts';
import { scheduleQuery } from './records.ts';
import { runState, wrongStates } from './runs.ts';

/** The reasons for which a person should look at a schedule. `late` is only for information. */
const problem = z.object({
  what: z.enum([...wrongStates, 'missing', 'late', 'overdue']),
  tickAt: ledgerTime,
  run: z.string().nullable(),
  reason: z.string().nullable(),
});

const scheduleReport = z
  .object({
    owner: z.string(),
    schedule: z.string(),
    target: z.string(),
    paused: z.boolean(),
    runs: z.partialRecord(runState, z.int()).describe('The runs whose tick is in the time, by state.'),
    triggered: z.int().describe('The number of these runs that the service accepted.'),
    rows: z.int().nullable().describe('The rows of the last run that has any.'),
    usualRows: z.int().nullable().describe('The median of the ten finished runs before it.'),
    kept: z.array(z.string()).describe('The places of the kept rows, the latest first.'),
    problems: z.array(problem).describe('Runs that still need a person count also if they are older.'),
  })
  .meta({ id: 'ScheduleReport' });

export type ScheduleReport = z.infer<typeof scheduleReport>;

export const report = z.object({ until: ledgerTime, schedules: z.array(scheduleReport) }).meta({ id: 'Report' });

export type SchedulesReport = z.infer<typeof report>;

export const reportQuery = scheduleQuery.omit({ brief: true }).extend({
  since: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Only runs of ticks since this time; by default those of the last 24 hours.')
    .meta({ title: 'time in milliseconds since the epoch', examples: [1767150600000] }),
});

export type ReportFilter = z.output<typeof reportQuery>;
