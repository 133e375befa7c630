/** The schemas of requests and answers, from which the OpenAPI document is made. */
import { z } from 'zod';
import { didYouMean } from '../../base/diagnostics/nearest.ts';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { shorten } from '../../base/diagnostics/valueWords.ts';
import { listValues } from '../../base/diagnostics/zodDescribe.ts';
import { problemIssue } from '../../base/diagnostics/zodProblems.ts';
import { deliverySpec } from '../declared/deliverySpec.ts';
import { scheduleSpec } from '../declared/scheduleSpec.ts';
import { type Resolution, type RunEvent, type RunState, runStates, type ScheduledRun, type Totals } from '../model.ts';

const time = z
  .number()
  .describe('Milliseconds since the epoch, by the ledger’s clock.')
  .meta({ examples: [1767237000000] });
const timeOrNone = time.nullable();
const state = z.enum(runStates);

export const problem = z
  .looseObject({
    code: z.string().describe('A stable code for programs.'),
    found: z.string(),
    allowed: z.string().optional(),
    fix: z.string().optional(),
    path: z
      .array(z.union([z.string(), z.number()]))
      .optional()
      .describe('The path of the wrong field in the request.'),
  })
  .meta({
    id: 'Problem',
    examples: [{ code: 'unknown-schedule', found: 'acme has no schedule nightly' }],
  }) satisfies z.ZodType<Partial<Problem>>;

export const problems = z.object({ error: z.array(problem).min(1) }).meta({ id: 'Problems' });

export const runSchema = z
  .object({
    id: z.string(),
    owner: z.string(),
    schedule: z.string().describe('The name of the schedule.'),
    target: z.string().describe('The collector (`c_…`) or dataset (`gd_…`) that is triggered.'),
    tickAt: time.describe('The time of the tick, or of the order by hand.'),
    origin: z.enum(['tick', 'hand']),
    state: state.describe('`unknown`: the answer to the request was lost; only a person may order the run again.'),
    reason: z.string().nullable().describe('Why the run is in this state, for states that need a reason.'),
    attempts: z.int().describe('The number of requests that were sent or about to be sent.'),
    collectionId: z.string().nullable().describe('The id of the job at the service: `j_…` or `s_…`.'),
    triggeredAt: timeOrNone.describe('The time at which the service accepted the request.'),
    endedAt: timeOrNone,
    rows: z.int().nullable(),
    late: z.boolean().describe('True if it was triggered later than its schedule allows, or waits longer than that.'),
  })
  .meta({
    id: 'Run',
    examples: [
      {
        id: 'r_01',
        owner: 'acme',
        schedule: 'nightly',
        target: 'c_prices',
        tickAt: 1767237000000,
        origin: 'tick',
        state: 'finished',
        reason: null,
        attempts: 1,
        collectionId: 'j_abc',
        triggeredAt: 1767237000412,
        endedAt: 1767237064000,
        rows: 1200,
        late: false,
      },
    ],
  }) satisfies z.ZodType<ScheduledRun>;

const runEvent = z
  .object({ id: z.int().describe('Increases with time.'), runId: z.string(), at: time, state, text: z.string() })
  .meta({
    id: 'RunEvent',
    examples: [{ id: 7, runId: 'r_01', at: 1767237000412, state: 'running', text: 'accepted as j_abc' }],
  }) satisfies z.ZodType<RunEvent>;

export const runDetails = z
  .object({ run: runSchema, events: z.array(runEvent).describe('Oldest first.') })
  .meta({ id: 'RunDetails' });

const spec = z
  .looseObject({})
  .describe(
    'The registered spec with its defaults. A secret text is replaced by `{sealed: {salt, hash}}`, where `hash` is the base64url HMAC-SHA256 of the text with the salt as key.',
  );

const registered = z.object({ owner: z.string(), name: z.string(), spec, changedAt: time });

export const registeredDelivery = registered.meta({
  id: 'RegisteredDelivery',
  examples: [
    {
      owner: 'acme',
      name: 'results',
      spec: {
        endpoint: 'https://hooks.example.com/webdata',
        compression: 'gzip',
        authorization: { env: 'HOOK_AUTHORIZATION' },
      },
      changedAt: 1767230000000,
    },
  ],
});

export const registeredScheduleSchema = registered
  .extend({
    nextTickAt: timeOrNone.describe('Null while the schedule is paused, or if it has no further tick.'),
    lastRun: runSchema.nullable(),
  })
  .meta({
    id: 'RegisteredSchedule',
    examples: [
      {
        owner: 'acme',
        name: 'nightly',
        spec: {
          collector: 'c_prices',
          cron: '0 3 * * *',
          timeZone: 'Europe/Berlin',
          paused: false,
          delivery: 'results',
        },
        changedAt: 1767230000000,
        nextTickAt: 1767323400000,
        lastRun: null,
      },
    ],
  });

export const ownerRecords = z
  .object({ deliveries: z.array(registeredDelivery), schedules: z.array(registeredScheduleSchema) })
  .meta({ id: 'OwnerRecords', examples: [{ deliveries: [], schedules: [] }] });

export const totalsSchema = z
  .object({
    now: time.describe('The ledger’s time.'),
    schedules: z.int(),
    paused: z.int().describe('Paused schedules.'),
    deliveries: z.int(),
    runs: z.record(state, z.int()),
    lateNow: z.int().describe('Runs that wait longer than their schedule allows.'),
    lastEvent: z.int().describe('The id of the latest event. If it is unchanged, nothing has happened.'),
  })
  .meta({
    id: 'Totals',
    examples: [
      {
        now: 1767237000000,
        schedules: 3,
        paused: 1,
        deliveries: 1,
        runs: Object.fromEntries(runStates.map((each) => [each, 0])),
        lateNow: 0,
        lastEvent: 7,
      },
    ],
  }) satisfies z.ZodType<Totals>;

export const deliveryBody = deliverySpec.meta({
  id: 'DeliverySpec',
  examples: [{ endpoint: 'https://hooks.example.com/webdata', authorization: { env: 'HOOK_AUTHORIZATION' } }],
});

export const scheduleBody = scheduleSpec.meta({
  id: 'ScheduleSpec',
  examples: [
    {
      collector: 'c_prices',
      cron: '0 3 * * *',
      timeZone: 'Europe/Berlin',
      inputs: [{ url: 'https://shop.example.com/a' }],
      delivery: 'results',
    },
  ],
});

export const resolution = z
  .discriminatedUnion('as', [
    z
      .strictObject({ as: z.literal('triggered'), collectionId: z.string().trim().min(1).max(200) })
      .describe('The service accepted it: its result is polled under this id.'),
    z.strictObject({ as: z.literal('lost') }).describe('It never arrived, or its result is not needed.'),
    z
      .strictObject({ as: z.literal('resend') })
      .describe('Send it again. If the first request did arrive, both are billed.'),
  ])
  .meta({
    id: 'Resolution',
    examples: [{ as: 'triggered', collectionId: 'j_abc' }, { as: 'lost' }, { as: 'resend' }],
  }) satisfies z.ZodType<Resolution>;

const name = z.string().min(1).max(500);

export const ownerParams = z.object({
  owner: name.describe('The owner: the `name` of a declaration, or a stack.').meta({ examples: ['acme'] }),
});

export const recordParams = ownerParams.extend({ name: name.meta({ examples: ['nightly'] }) });

export const runParams = z.object({ id: name.meta({ examples: ['r_01'] }) });

const limit = z.coerce
  .number()
  .int()
  .min(1)
  .max(1000)
  .default(100)
  .meta({ examples: [100] });

export const scheduleQuery = z.strictObject({
  owner: name.optional(),
  text: z
    .string()
    .max(500)
    .optional()
    .describe('Part of the name, the owner or the target.')
    .meta({ examples: ['price'] }),
  after: z
    .string()
    .max(1001)
    .optional()
    .describe('Continues after this `owner/name`.')
    .meta({ examples: ['acme/nightly'] }),
  limit,
  brief: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Leaves out the inputs, which may be large.')
    .meta({ examples: ['true'] }),
});

export const runQuery = z.strictObject({
  owner: name.optional(),
  schedule: name.optional().describe('The name of a schedule.'),
  state: z
    .string()
    .superRefine((text, context) => {
      const unknown = text.split(',').find((word) => !isState(word));
      if (unknown !== undefined) problemIssue(context, unknownState(unknown));
    })
    .transform((text) => text.split(',').filter(isState))
    .optional()
    .describe(`Only runs in these states, separated by commas: ${runStates.join(', ')}.`)
    .meta({ examples: ['unknown,failed'] }),
  before: z.coerce
    .number()
    .int()
    .optional()
    .describe('Only runs of ticks before this time.')
    .meta({ examples: [1767237000000] }),
  after: name
    .optional()
    .describe('Continues after the run with this id.')
    .meta({ examples: ['r_01'] }),
  limit,
});

function isState(word: string): word is RunState {
  return runStates.some((each) => each === word);
}

function unknownState(word: string): Problem {
  const fix = didYouMean(word, runStates);
  return {
    code: 'not-one-of',
    found: `\`${shorten(word)}\` is not a state of a run`,
    allowed: listValues(runStates),
    ...(fix && { fix }),
  };
}
