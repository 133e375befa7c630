/** `CollectorSchedule` as a Pulumi resource. */
import { type CustomResourceOptions, dynamic, type Input, type Output } from '@pulumi/pulumi';
import { identity, secretUnlessName } from './identity.ts';
import { providerOf } from './provider.ts';
import type { WebhookDeliveryArgs } from './webhookDelivery.ts';

/** A collector or a dataset, and `cron` or `every`. Each trigger is billed. */
export interface CollectorScheduleArgs {
  /** Its name in the trigger service, by default that of the resource. Another name is another record. */
  name?: Input<string>;
  /** Who owns it there, by default `PROJECT/STACK`. */
  owner?: Input<string>;
  /** The collector that is triggered, `c_…`. */
  collector?: Input<string>;
  /** The dataset that is triggered in place of a collector, `gd_…`. */
  dataset?: Input<string>;
  /** The format of a dataset; `json` by default. */
  format?: Input<'json' | 'ndjson' | 'csv'>;
  /** When it is triggered: `0 3 * * *`. */
  cron?: Input<string>;
  /** The time zone of `cron`; UTC by default. */
  timeZone?: Input<string>;
  /** The time from one trigger to the next, in place of `cron`: `15m`. */
  every?: Input<string>;
  /** What it is triggered with: objects, or a file in the folder of the project: `{ file: 'prices.csv' }`. */
  inputs: Input<Input<Record<string, unknown>>[]> | { file: Input<string> };
  /** The fields that inputs have; they are checked before anything is registered. */
  inputSchema?: Input<Record<string, InputFieldType | { type: InputFieldType; required?: boolean }>>;
  /** Where results go: the `name` of a `WebhookDelivery`, or one that stands here. */
  delivery?: Input<string> | Input<Omit<WebhookDeliveryArgs, 'name' | 'owner'>>;
  /** Sent as `queue_next`. */
  queueNext?: Input<boolean>;
  /** Runs the development version of the collector. */
  dev?: Input<boolean>;
  /** Names the runs for people. */
  runName?: Input<string>;
  /** Runs of the same queue start one after another. */
  queue?: Input<string>;
  /** Downloads no media. */
  noMedia?: Input<boolean>;
  /** The longest time that a run may take: `2h`. */
  maxTime?: Input<string>;
  /** Registered, and not triggered. */
  paused?: Input<boolean>;
  /** What becomes of a tick while the run before it goes on; `skip` by default. */
  overlap?: Input<'skip' | 'queue' | 'cancel' | 'allow'>;
  /** What becomes of ticks that were missed; `skip` by default. */
  catchUp?: Input<'skip' | 'latest' | { within: Input<string> }>;
  /** Sends a trigger again that was answered 5xx; `true` by default. */
  retryOn5xx?: Input<boolean>;
  /** When a trigger that waits for its turn is late; `1m` by default. */
  lateAfter?: Input<string>;
  /** Who is told of runs that did not go well. */
  alerts?: Input<{ endpoint: Input<string>; on?: Input<Input<'failed' | 'late' | 'unknown'>[]> }>;
}

export type InputFieldType = 'string' | 'number' | 'boolean' | 'url';

/**
 * Registers in the trigger service what is triggered when. The trigger service fires it: at most once a tick, across machines and
 * crashes.
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
  /** The fields that the last refresh found otherwise than declared; an update puts them right. */
  declare readonly drifted: Output<string[]>;

  constructor(name: string, { delivery, ...args }: CollectorScheduleArgs, options?: CustomResourceOptions) {
    const its = delivery === undefined ? {} : { delivery: secretUnlessName(delivery) };
    super(
      provider,
      name,
      { ...identity(name), ...args, ...its, drifted: undefined },
      options,
      'webdata',
      'CollectorSchedule',
    );
  }
}

const provider = providerOf('CollectorSchedule');
