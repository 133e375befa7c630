/** The schema of `webdata simulate --format json`. Within a version, fields may be added, but are not renamed or removed. */
import { z } from 'zod';
import { callDocumentSchema } from '../../kinds/shownCalls.ts';
import { planSchema } from '../../report/json/schema.ts';
import {
  callOutcome,
  inventory,
  meta,
  naturalNumber,
  reportProblem,
  resourceId,
  time,
} from '../../report/json/schemaParts.ts';
import { failureKinds } from './failures.ts';

const schedule = z.object({
  schedule: z.string().describe('The name of the schedule.'),
  target: z.string().describe('The collector or dataset that is triggered.'),
  isPaused: z.boolean().describe('True for a paused schedule, which has no ticks.'),
  ticks: naturalNumber.describe('The due times.'),
  triggers: naturalNumber.describe('The ticks at which a job is triggered.'),
  overlaps: naturalNumber
    .optional()
    .describe('The ticks during an earlier job. Absent if the time of a job is not known.'),
  jobMs: z.number().optional().describe('The assumed duration of a job in milliseconds.'),
});

const tick = z.object({
  at: time,
  schedule: z.string().describe('The name of the schedule.'),
  target: z.string().describe('The collector or dataset.'),
  isOverlap: z.boolean().describe('True if an earlier job of the schedule is still active.'),
  isTriggered: z.boolean().describe('True if a job is triggered.'),
});

const cost = z.object({
  amount: z.number().describe('The sum of `prices` for these moves and triggers.'),
  currency: z.string().optional().describe('The `currency` of `prices`.'),
  unpriced: z.array(z.string()).describe('Things without a price, which the amount leaves out.'),
});

const forecast = z
  .object({
    from: time,
    until: time,
    schedules: z.array(schedule).describe('The declared schedules.'),
    ticks: z.array(tick).describe('The ticks in the order of time, at most the first 10,000 of each schedule.'),
    triggers: naturalNumber.describe('The triggers of all schedules.'),
    busiestDay: z
      .object({
        date: z.string().describe('The day in UTC: `2026-12-31`.'),
        triggers: naturalNumber.describe('Its triggers.'),
      })
      .optional()
      .describe('The day with the most triggers.'),
    moves: naturalNumber.describe('The moves of IPs that the plan makes.'),
    cost: cost.optional().describe('The costs of moves and triggers. Absent without `prices` in the declaration.'),
  })
  .describe('The forecast of the declared schedules, with `--for`.');

export const simulationSchema = () =>
  z
    .object({
      format: z.literal('webdata.simulation/1').describe('The name of this format, and its version.'),
      ...meta,
      result: z
        .enum(['refused', 'killed', 'failed', 'done'])
        .describe('`refused`: an apply would refuse the plan, so nothing was simulated. `killed`: webdata was killed.'),
      copied: z
        .object({
          zones: naturalNumber.describe('Zones.'),
          ips: naturalNumber.describe('IPs.'),
          managers: naturalNumber.describe('Proxy managers.'),
          deliveries: naturalNumber.describe('Registered deliveries.'),
          schedules: naturalNumber.describe('Registered schedules.'),
        })
        .optional()
        .describe('The content of the copy. Absent if nothing was simulated.'),
      plan: planSchema().describe('The plan on the live account.'),
      calls: z
        .array(
          z.object({
            number: z.int().min(1).describe('The number of the call in the run.'),
            resource: z.object(resourceId).describe('The resource that the call is for.'),
            call: callDocumentSchema(),
            outcome: callOutcome,
            message: z.string().optional().describe('The message of a failure.'),
            zones: inventory.describe(
              'The zones that the call may change, and their IPs by country, before and after it.',
            ),
          }),
        )
        .describe('The calls, in the order in which they were sent to the copy.'),
      failure: z
        .object({
          at: z.int().min(1).describe('The number of the call that fails.'),
          how: z.enum(failureKinds).describe('The kind of failure.'),
        })
        .optional()
        .describe('The failure that was played, with `--fail-at`.'),
      next: planSchema().optional().describe('The next plan on the copy. Absent if nothing was simulated.'),
      undo: planSchema().optional().describe('The undo of the run that failed, with `--fail-at`.'),
      problems: z.array(reportProblem).describe('Exceeded budgets, with `--enforce`.'),
      warnings: z
        .array(reportProblem)
        .describe(
          'Problems that block nothing: exceeded budgets without `--enforce`, and leftovers that were not looked for.',
        ),
      forecast: forecast.optional(),
      notModelled: z.array(z.string()).describe('The parts of an account that the simulation leaves out, for people.'),
    })
    .describe('A plan that was applied to a copy of the account.');

export type SimulationDocument = z.output<ReturnType<typeof simulationSchema>>;
