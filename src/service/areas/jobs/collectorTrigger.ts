/** The trigger of a batch (specification, B1): what a user gives, checked, as the request that goes out. */

import type { ServiceProfile } from '../../profile.ts';
import { triggerRetry } from '../../transport/retries.ts';
import type { WireRequest } from '../../transport/wireRequest.ts';
import { type Delivery, type Notification, secretsIn, wireDelivery } from './delivery.ts';
import { checkCollectorTrigger } from './triggerRules.ts';

export interface CollectorTrigger {
  /** The collector ID, `c_…`. */
  collector: string;
  /** At least one object of the collector's input schema; what an object leaves out is null. */
  inputs: readonly Readonly<Record<string, unknown>>[];
  /** Sent as `queue_next` 1 or 0. The specification says two things of it: see docs/collectors.md. */
  queueNext?: boolean | undefined;
  /** Who is told when the run is finished and delivered. */
  notify?: Notification | undefined;
  /** Where this run's result goes, in place of the collector's own setting. */
  deliver?: Delivery | undefined;
  /** Runs the development version of the collector. */
  dev?: boolean | undefined;
  /** Names the run for people. */
  name?: string | undefined;
  /** Runs of the same queue start one after another. */
  queue?: string | undefined;
  /** Cancels a run of this collector that is under way. */
  cancelRunning?: boolean | undefined;
  /** Downloads no media. */
  noMedia?: boolean | undefined;
  /** The longest time that the run may take: a number and `h`, `m` or `s`. */
  maxTime?: string | undefined;
}

/** @throws ProblemError for what the service would refuse; nothing was sent then */
export function triggerRequest(trigger: CollectorTrigger, profile: ServiceProfile): WireRequest {
  checkCollectorTrigger(trigger, profile);
  const { collector, inputs, deliver } = trigger;
  return {
    method: 'POST',
    path: triggerPath,
    query: { collector, ...optionsOf(trigger, profile) },
    body: inputs,
    secrets: deliver === undefined ? [] : secretsIn(deliver, profile),
    retry: triggerRetry,
    repeats: 'after-server-error',
    fixes: {
      unauthorized: 'Use a valid API key (WEBDATA_API_KEY): this one is missing, malformed or was revoked.',
      'not-found': `Check the collector ID ${collector}: it does not exist, or the account has no access to it.`,
      refused: "Match the field names of the inputs to the collector's inputs.",
      'server-error': 'Try again later.',
    },
  };
}

const triggerPath = '/dca/trigger';

function optionsOf(trigger: CollectorTrigger, profile: ServiceProfile): Record<string, string> {
  const { queueNext, notify, deliver, dev, name, queue, cancelRunning, noMedia, maxTime } = trigger;
  const names = profile.collectors;
  const options: [string, string | undefined][] = [
    ['queue_next', queueNext === undefined ? undefined : queueNext ? '1' : '0'],
    ['notify', notify && JSON.stringify(notify)],
    ['deliver', deliver && JSON.stringify(wireDelivery(deliver, profile))],
    [names.versionParameter, dev ? 'dev' : undefined],
    [names.nameParameter, name],
    [names.queueParameter, queue],
    [names.cancelRunningParameter, cancelRunning ? '1' : undefined],
    [names.noMediaParameter, noMedia ? '1' : undefined],
    [names.maxTimeParameter, maxTime],
  ];
  return Object.fromEntries(options.filter((option): option is [string, string] => option[1] !== undefined));
}
