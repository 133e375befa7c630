/** Triggers of collector jobs (specification, B1): checks one, and makes its request. */

import type { ServiceProfile } from '../../profile.ts';
import { triggerRetry } from '../../transport/retries.ts';
import type { WireRequest } from '../../transport/wireRequest.ts';
import { type Delivery, type Notification, secretsIn, wireDelivery } from './delivery.ts';
import { checkCollectorTrigger } from './triggerRules.ts';

export interface CollectorTrigger {
  /** The collector ID, `c_…`. */
  collector: string;
  /** Objects of the collector's input schema, at least one. Missing fields are sent as null. */
  inputs: readonly Readonly<Record<string, unknown>>[];
  /** Sent as `queue_next` 1 or 0. The specification contradicts itself about which of them waits for running jobs. */
  queueNext?: boolean | undefined;
  /** Recipient of notices about the finished and delivered job. */
  notify?: Notification | undefined;
  /** Destination of this job's result, instead of the collector's own setting. */
  deliver?: Delivery | undefined;
  /** Runs the development version of the collector. */
  dev?: boolean | undefined;
  /** Name of the job, for people. */
  name?: string | undefined;
  /** Queue of the job. Jobs in the same queue start one after another. */
  queue?: string | undefined;
  /** Cancels a running job of this collector. */
  cancelRunning?: boolean | undefined;
  /** Downloads no media. */
  noMedia?: boolean | undefined;
  /** Maximum duration of the job: a number and `h`, `m` or `s`. */
  maxTime?: string | undefined;
}

/** Returns the request of a trigger. @throws ProblemError for values that the service would refuse; nothing is sent in that case */
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
      unauthorized: ({ apiKeyShort }) =>
        `Use a valid API key (${apiKeyShort}): this one is missing, malformed or revoked.`,
      'not-found': `Check the collector ID ${collector}: it does not exist, or the account has no access to it.`,
      refused: "Match the field names of the inputs to the collector's inputs.",
      'server-error': 'Try again later.',
    },
  };
}

const triggerPath = '/dca/trigger';

function optionsOf(trigger: CollectorTrigger, profile: ServiceProfile): WireRequest['query'] {
  const { queueNext, notify, deliver, dev, name, queue, cancelRunning, noMedia, maxTime } = trigger;
  const names = profile.collectors;
  return {
    queue_next: queueNext === undefined ? undefined : queueNext ? '1' : '0',
    notify: notify && JSON.stringify(notify),
    deliver: deliver && JSON.stringify(wireDelivery(deliver, profile)),
    [names.versionParameter]: dev ? 'dev' : undefined,
    [names.nameParameter]: name,
    [names.queueParameter]: queue,
    [names.cancelRunningParameter]: cancelRunning ? '1' : undefined,
    [names.noMediaParameter]: noMedia ? '1' : undefined,
    [names.maxTimeParameter]: maxTime,
  };
}
