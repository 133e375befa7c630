/** `CollectorSchedule` as a Pulumi resource. */
import { type CustomResourceOptions, dynamic, type Input, type Output } from '@pulumi/pulumi';
import { identity, secretIf } from './identity.ts';
import { ignoring } from './ignoreChanges.ts';
import { providerOf } from './provider.ts';
import type { WebhookDeliveryArgs } from './webhookDelivery.ts';

/** A collector or a dataset, and `cron` or `every`. Each trigger is billed. */
export interface CollectorScheduleArgs {
  /** Its name in the trigger service, by default that of the resource. Another name replaces the resource. */
  name?: Input<string>;
  /** The owner of the registration, by default `PROJECT/STACK`. Another owner replaces the resource. */
  owner?: Input<string>;
  /** The collector that is triggered, `c_…`. */
  collector?: Input<string>;
  /** The dataset that is triggered instead of a collector, `gd_…`. */
  dataset?: Input<string>;
  /** The format of a dataset; `json` by default. */
  format?: Input<'json' | 'ndjson' | 'csv'>;
  /** The times of its triggers: `0 3 * * *`. */
  cron?: Input<string>;
  /** The time zone of `cron`; UTC by default. */
  timeZone?: Input<string>;
  /** The time from one trigger to the next, instead of `cron`: `15m`. */
  every?: Input<string>;
  /** The inputs of each trigger: objects, or a file in the folder of the project: `{ file: 'prices.csv' }`. */
  inputs: Input<Input<Record<string, unknown>>[]> | { file: Input<string> };
  /** The fields of the inputs, which are checked before the schedule is registered. */
  inputSchema?: Input<Record<string, InputFieldType | { type: InputFieldType; required?: boolean }>>;
  /** The `name` of a `WebhookDelivery`, or a delivery that is declared in place. */
  delivery?: Input<string> | Input<Omit<WebhookDeliveryArgs, 'name' | 'owner'>>;
  /**
   * The bucket `s3://BUCKET/PREFIX`, or the folder, that keeps the rows of each run in one file; `ndjson` by default. The trigger service
   * writes a folder on its own machine: relative to its `--keep-folder` or its declaration, not to the program.
   */
  keep?: Input<string> | Input<{ to: Input<string>; format?: Input<'ndjson' | 'json' | 'csv'> }>;
  /** The fewest rows of a good result: a number, or a share of the usual number: `80%`. */
  expectRows?: Input<number | string>;
  /** Sent as `queue_next`. */
  queueNext?: Input<boolean>;
  /** Triggers the development version of the collector. */
  dev?: Input<boolean>;
  /** Display name of the jobs. */
  runName?: Input<string>;
  /** Jobs of the same queue start one after another. */
  queue?: Input<string>;
  /** Downloads no media. */
  noMedia?: Input<boolean>;
  /** The longest time that a job may take: `2h`. */
  maxTime?: Input<string>;
  /** Registered, but not triggered. */
  paused?: Input<boolean>;
  /** Action on a tick while the job of the previous one is still running; `skip` by default. */
  overlap?: Input<'skip' | 'queue' | 'cancel' | 'allow'>;
  /** Action on missed ticks; `skip` by default. */
  catchUp?: Input<'skip' | 'latest' | { within: Input<string> }>;
  /** Sends a trigger again after a 5xx answer; `true` by default. */
  retryOn5xx?: Input<boolean>;
  /** The time after which a waiting trigger is late; `1m` by default. */
  lateAfter?: Input<string>;
  /** The time to wait for the result of a run, which is then given up; `1d` by default. */
  giveUpAfter?: Input<string>;
  /** The endpoint that is notified of scheduled runs that did not go well. */
  alerts?: Input<{
    endpoint: Input<string>;
    on?: Input<Input<'failed' | 'late' | 'unknown' | 'given-up' | 'unkept' | 'undelivered' | 'few-rows'>[]>;
    format?: Input<'json' | 'slack'>;
  }>;
}

export type InputFieldType = 'string' | 'number' | 'boolean' | 'url';

/**
 * Registers a schedule in the trigger service, which fires it at most once for each tick, across machines and crashes.
 *
 * @example
 * new CollectorSchedule('nightly', {
 *   collector: 'c_prices',
 *   cron: '0 3 * * *',
 *   timeZone: 'Europe/Berlin',
 *   inputs: [{ url: 'https://shop.example.com/a' }],
 *   delivery: results.name,
 * });
 */
export class CollectorSchedule extends dynamic.Resource {
  /** Its name in the trigger service. */
  declare readonly name: Output<string>;
  declare readonly owner: Output<string>;
  /** The fields that differed from the declaration at the last refresh. An update corrects them. */
  declare readonly drifted: Output<string[]>;

  constructor(name: string, { delivery, ...args }: CollectorScheduleArgs, options?: CustomResourceOptions) {
    const givenDelivery = delivery === undefined ? {} : { delivery: secretIf(delivery, isDeclaredInPlace) };
    const inputs = { ...identity(name), ...args, ...givenDelivery };
    const ignored = ignoring(inputs, options);
    super(
      provider,
      name,
      { ...inputs, ...ignored.inputs, drifted: undefined },
      ignored.options,
      'webdata',
      'CollectorSchedule',
    );
  }
}

/** Not a name: it may contain secrets. */
function isDeclaredInPlace(delivery: unknown): boolean {
  return typeof delivery !== 'string';
}

const provider = providerOf('CollectorSchedule');
