/** Scheduled runs, as the trigger service's API answers them, and the requests about them. */
import { z } from 'zod';
import { didYouMean } from '../../base/diagnostics/nearest.ts';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { shorten } from '../../base/diagnostics/valueWords.ts';
import { listValues } from '../../base/diagnostics/zodDescribe.ts';
import { raising } from '../../base/diagnostics/zodProblems.ts';
import { key, ledgerTime, ledgerTimeOrNone, limit } from './fields.ts';

/**
 * The states of a scheduled run. `waiting`: for its turn. `triggering`: the request is sent or about to be. `running`: the service accepted
 * it. `unkept`: it has a result, whose rows could not be kept yet. `undelivered`: it has a
 * result, whose delivery no receiver reported in time. The end states: `finished`; `few-rows`: finished with fewer rows than expected; `failed`: the service refused it, the job failed, or nothing could be sent; `expired`: its rows expired
 * before they were polled; `given-up`: no result within `giveUpAfter`; `cancelled` by a later run; `skipped` before anything was sent;
 * `lost`: a person declared the run, or its rows, lost. `unknown`: the answer was lost; only a person may order the run again.
 */
export const runState = z.enum([
  'waiting',
  'triggering',
  'running',
  'unknown',
  'unkept',
  'undelivered',
  'finished',
  'few-rows',
  'failed',
  'expired',
  'given-up',
  'cancelled',
  'skipped',
  'lost',
]);

export const runStates = runState.options;

export type RunState = z.infer<typeof runState>;

/** The states of runs that have not ended. */
export const openStates: readonly RunState[] = ['waiting', 'triggering', 'running', 'unknown', 'unkept', 'undelivered'];

/** The states that last until a person or a later attempt has dealt with the run. */
export const unresolvedStates = ['unknown', 'unkept', 'undelivered'] as const satisfies readonly RunState[];

/** The states of runs that a person should know of. */
export const wrongStates = [
  'failed',
  'few-rows',
  'expired',
  'given-up',
  ...unresolvedStates,
] as const satisfies readonly RunState[];

export const endStates: readonly RunState[] = runStates.filter((state) => !openStates.includes(state));

export const scheduledRun = z
  .object({
    id: z.string(),
    owner: z.string(),
    schedule: z.string().describe('The name of the schedule.'),
    target: z.string().describe('The collector (`c_…`) or dataset (`gd_…`) that is triggered.'),
    tickAt: ledgerTime.describe('The time of the tick, or of the order by hand.'),
    origin: z.enum(['tick', 'hand']),
    state: runState.describe('`unknown`: the answer to the request was lost; only a person may order the run again.'),
    reason: z.string().nullable().describe('Why the run is in this state, for states that need a reason.'),
    attempts: z.int().describe('The number of requests that were sent or about to be sent.'),
    collectionId: z.string().nullable().describe('The id of the job at the service: `j_…` or `s_…`.'),
    triggeredAt: ledgerTimeOrNone.describe('The time at which the service accepted the request.'),
    endedAt: ledgerTimeOrNone,
    rows: z.int().nullable(),
    kept: z
      .string()
      .nullable()
      .describe('The file or object with the rows, below the folder of the declaration or `s3://…`.'),
    deliveredAt: ledgerTimeOrNone.describe('The time at which a receiver reported its delivery.'),
    late: z
      .boolean()
      .describe('True if it was triggered later than its schedule allows, waits longer than that, or was missed.'),
  })
  .meta({ id: 'Run' });

export type ScheduledRun = z.infer<typeof scheduledRun>;

const runEvent = z
  .object({
    id: z.int().describe('Increases with time.'),
    runId: z.string(),
    at: ledgerTime,
    state: runState,
    text: z.string(),
  })
  .meta({ id: 'RunEvent' });

export type RunEvent = z.infer<typeof runEvent>;

export const runDetails = z
  .object({ run: scheduledRun, events: z.array(runEvent).describe('Oldest first.') })
  .meta({ id: 'RunDetails' });

export type RunDetails = z.infer<typeof runDetails>;

export const runParams = z.object({ id: key.meta({ examples: ['r_01'] }) });

export const orderHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe(
      'A second request for the same schedule with the same key starts nothing, and is answered with the first run.',
    )
    .meta({ examples: ['5f0c2a9d-backfill'] }),
});

/** The finding of a person about a run that needs one, or of a receiver about a delivery. */
export const resolution = z
  .discriminatedUnion('as', [
    z
      .strictObject({ as: z.literal('triggered'), collectionId: z.string().trim().min(1).max(200) })
      .describe('The service accepted it: its result is polled under this id.'),
    z
      .strictObject({ as: z.literal('lost') })
      .describe('It never arrived, or its rows are gone or not needed. For `unkept` and `undelivered` runs, too.'),
    z
      .strictObject({ as: z.literal('resend') })
      .describe('Send it again. If the first request did arrive, both are billed.'),
    z
      .strictObject({ as: z.literal('delivered') })
      .describe(
        'A receiver, or a person, has its rows. An `undelivered` run is `finished`, and so is an `unknown` one without `keep`; the state of any other run stays.',
      ),
  ])
  .meta({
    id: 'Resolution',
    examples: [{ as: 'triggered', collectionId: 'j_abc' }, { as: 'lost' }, { as: 'resend' }, { as: 'delivered' }],
  });

export type Resolution = z.infer<typeof resolution>;

export const runQuery = z.strictObject({
  owner: key.optional(),
  schedule: key.optional().describe('The name of a schedule.'),
  state: z
    .string()
    .superRefine(raising(stateProblem))
    .transform((text) => text.split(',').filter(isState))
    .optional()
    .describe(`Only runs in these states, separated by commas: ${runStates.join(', ')}.`)
    .meta({ examples: ['unknown,failed'] }),
  after: key
    .optional()
    .describe('Continues after the run with this id.')
    .meta({ examples: ['r_01'] }),
  limit,
});

/** A parsed query, in which several states have a name of their own. */
export type RunFilter = Partial<Omit<z.output<typeof runQuery>, 'state'>> & {
  states?: readonly RunState[] | undefined;
};

export const totals = z
  .object({
    now: ledgerTime.describe('The ledger’s time.'),
    schedules: z.int(),
    paused: z.int().describe('Paused schedules.'),
    deliveries: z.int(),
    runs: z.record(runState, z.int()),
    lateNow: z.int().describe('Runs that wait longer than their schedule allows.'),
    lastEvent: z.int().describe('The id of the latest event. If it is unchanged, nothing has happened.'),
    encrypts: z
      .boolean()
      .optional()
      .describe('False without a key: then a registration that contains a secret is refused.'),
    storeNote: z.string().optional().describe('A reason for which a failover of the store could lose records.'),
    service: z.string().optional().describe('The origin of the service that the schedules run at.'),
  })
  .meta({ id: 'Totals' });

export type Totals = z.infer<typeof totals>;

function isState(word: string): word is RunState {
  return runStates.some((each) => each === word);
}

function stateProblem(text: string): Problem | undefined {
  const unknown = text.split(',').find((word) => !isState(word));
  if (unknown === undefined) return undefined;
  const fix = didYouMean(unknown, runStates);
  const found = `\`${shorten(unknown)}\` is not a state of a run`;
  return { code: 'not-one-of', found, allowed: listValues(runStates), ...(fix && { fix }) };
}
