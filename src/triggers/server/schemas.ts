/** What the API takes and answers, as the OpenAPI document shows it. */
import { z } from 'zod';
import { didYouMean } from '../../diagnostics/nearest.ts';
import type { Problem } from '../../diagnostics/problem.ts';
import { shorten } from '../../diagnostics/valueWords.ts';
import { listValues } from '../../diagnostics/zodDescribe.ts';
import { problemIssue } from '../../diagnostics/zodProblems.ts';
import { type Resolution, type Run, type RunEvent, type RunState, runStates, type Totals } from '../model.ts';
import { deliverySpec } from '../spec/deliverySpec.ts';
import { scheduleSpec } from '../spec/scheduleSpec.ts';

const time = z
  .number()
  .describe('Milliseconds since the epoch, by the ledger’s clock.')
  .meta({ examples: [1767237000000] });
const timeOrNone = time.nullable();
const state = z.enum(runStates);

export const problem = z
  .looseObject({
    code: z.string().describe('Stable, for programs.'),
    found: z.string(),
    allowed: z.string().optional(),
    fix: z.string().optional(),
    path: z
      .array(z.union([z.string(), z.number()]))
      .optional()
      .describe('The keys that lead to the culprit in what was sent.'),
  })
  .meta({
    id: 'Problem',
    examples: [{ code: 'unknown-schedule', found: 'acme has no schedule nightly' }],
  }) satisfies z.ZodType<Partial<Problem>>;

export const problems = z.object({ error: z.array(problem).min(1) }).meta({ id: 'Problems' });

export const run = z
  .object({
    id: z.string(),
    owner: z.string(),
    schedule: z.string().describe('The name of its schedule.'),
    target: z.string().describe('What is triggered: a collector `c_…` or a dataset `gd_…`.'),
    tickAt: time.describe('The tick it was made for, or when somebody asked for it.'),
    origin: z.enum(['tick', 'hand']),
    state: state.describe('`unknown`: the answer to its trigger was lost, and nobody sends it again but a person.'),
    reason: z.string().nullable().describe('Why it is in this state, where that needs saying.'),
    attempts: z.int().describe('How often a request was sent, or was about to be.'),
    collectionId: z.string().nullable().describe('The service’s id of the run: `j_…` or `s_…`.'),
    triggeredAt: timeOrNone.describe('When the service accepted it.'),
    endedAt: timeOrNone,
    rows: z.int().nullable(),
    late: z.boolean().describe('Triggered, or still waiting, later than its schedule allows.'),
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
  }) satisfies z.ZodType<Run>;

const runEvent = z
  .object({ id: z.int().describe('Grows with time.'), runId: z.string(), at: time, state, text: z.string() })
  .meta({
    id: 'RunEvent',
    examples: [{ id: 7, runId: 'r_01', at: 1767237000412, state: 'running', text: 'accepted as j_abc' }],
  }) satisfies z.ZodType<RunEvent>;

export const runDetails = z
  .object({ run, events: z.array(runEvent).describe('Oldest first.') })
  .meta({ id: 'RunDetails' });

const spec = z
  .looseObject({})
  .describe(
    'As it was registered, with its defaults. A text that is secret is `{sealed: {salt, hash}}` instead: `hash` is the base64url HMAC-SHA256 of the text under the salt.',
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

export const registeredSchedule = registered
  .extend({
    nextTickAt: timeOrNone.describe('Null while it is paused, or where no tick is left.'),
    lastRun: run.nullable(),
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
  .object({ deliveries: z.array(registeredDelivery), schedules: z.array(registeredSchedule) })
  .meta({ id: 'OwnerRecords', examples: [{ deliveries: [], schedules: [] }] });

export const totals = z
  .object({
    now: time.describe('The ledger’s time.'),
    schedules: z.int(),
    paused: z.int().describe('Schedules that are paused.'),
    deliveries: z.int(),
    runs: z.record(state, z.int()),
    lateNow: z.int().describe('Runs that wait longer than their schedule allows.'),
    lastEvent: z.int().describe('The latest event: whoever remembers it knows whether something has changed.'),
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
      .describe('The service has it: its rows are fetched under this id.'),
    z.strictObject({ as: z.literal('lost') }).describe('It never arrived, or nobody needs it.'),
    z.strictObject({ as: z.literal('resend') }).describe('It is sent again. If the first did arrive, both are billed.'),
  ])
  .meta({
    id: 'Resolution',
    examples: [{ as: 'triggered', collectionId: 'j_abc' }, { as: 'lost' }, { as: 'resend' }],
  }) satisfies z.ZodType<Resolution>;

const name = z.string().min(1).max(500);

export const ownerParams = z.object({
  owner: name.describe('Who declares: the `name` of a file, or a stack.').meta({ examples: ['acme'] }),
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
    .describe('Goes on after this `owner/name`.')
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
    .describe(`Only runs in these states, with commas between them: ${runStates.join(', ')}.`)
    .meta({ examples: ['unknown,failed'] }),
  before: z.coerce
    .number()
    .int()
    .optional()
    .describe('Only runs of ticks before this time.')
    .meta({ examples: [1767237000000] }),
  after: name
    .optional()
    .describe('Goes on after the run of this id.')
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
    found: `\`${shorten(word)}\` is no state of a run`,
    allowed: listValues(runStates),
    ...(fix && { fix }),
  };
}
