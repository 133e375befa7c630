/** Deliveries and schedules of an owner, as the trigger service's API takes and answers them. */
import { z } from 'zod';
import { type DeliverySpec, deliverySpec } from '../declared/deliverySpec.ts';
import { type ScheduleSpec, scheduleSpec } from '../declared/scheduleSpec.ts';
import { key, ledgerTime, ledgerTimeOrNone, limit } from './fields.ts';
import { scheduledRun } from './runs.ts';

/** A literal secret as the API shows it: users who know the value can verify it (`secrets.ts`). */
export interface SealedSecret {
  sealed: { salt: string; hash: string };
}

/** A spec with sealed literal secrets. */
export type Shown<Spec> = Spec extends string
  ? Spec | SealedSecret
  : Spec extends readonly (infer Item)[]
    ? Shown<Item>[]
    : Spec extends object
      ? { [Field in keyof Spec]: Shown<Spec[Field]> }
      : Spec;

/** Returns the schema of a registration. It takes any spec: a service of another version may have other fields. */
function registered<Spec>() {
  const shown = z
    .looseObject({})
    .describe(
      'The registered spec with its defaults. A secret text is replaced by `{sealed: {salt, hash}}`, where `hash` is the base64url HMAC-SHA256 of the text with the salt as key.',
    );
  return z.object({
    owner: z.string(),
    name: z.string(),
    spec: shown as unknown as z.ZodType<Shown<Spec>>,
    changedAt: ledgerTime,
  });
}

export const registeredDelivery = registered<DeliverySpec>().meta({ id: 'RegisteredDelivery' });

export type RegisteredDelivery = z.infer<typeof registeredDelivery>;

export const registeredSchedule = registered<ScheduleSpec>()
  .extend({
    pausedBy: z
      .enum(['declaration', 'hand'])
      .nullable()
      .optional()
      .describe(
        '`hand`: paused by the API, the page or a command, in addition to what is declared. Null if it is not paused.',
      ),
    nextTickAt: ledgerTimeOrNone.describe('Null while the schedule is paused, or if it has no further tick.'),
    lastRun: scheduledRun.nullable(),
    unresolved: z
      .array(scheduledRun)
      .describe(
        'All runs that need a person, old ones too: those that are `unknown`, `unkept` or `undelivered`. The latest first, at most 20.',
      ),
  })
  .meta({ id: 'RegisteredSchedule' });

export type RegisteredSchedule = z.infer<typeof registeredSchedule>;

export const owners = z.array(z.string());

export const ownerRecords = z
  .object({ deliveries: z.array(registeredDelivery), schedules: z.array(registeredSchedule) })
  .meta({ id: 'OwnerRecords' });

export type OwnerRecords = z.infer<typeof ownerRecords>;

export const deliveryBody = deliverySpec().meta({
  id: 'DeliverySpec',
  examples: [{ endpoint: 'https://hooks.example.com/webdata', authorization: { env: 'HOOK_AUTHORIZATION' } }],
});

export const scheduleBody = scheduleSpec().meta({
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

export const ownerParams = z.object({
  owner: key.describe('The owner: the `name` of a declaration, or a stack.').meta({ examples: ['acme'] }),
});

export const recordParams = ownerParams.extend({ name: key.meta({ examples: ['nightly'] }) });

export type RecordKey = z.infer<typeof recordParams>;

export const scheduleQuery = z.strictObject({
  owner: key.optional(),
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
    .meta({ examples: ['true'] })
    .transform((word) => word === 'true'),
});

export type ScheduleFilter = Partial<z.output<typeof scheduleQuery>>;
