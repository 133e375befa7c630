/** Builds the request of a schedule and its delivery for the service's client. */
import type { CollectorTrigger } from '../../client/areas/jobs/collectorTrigger.ts';
import type { DatasetTrigger } from '../../client/areas/jobs/datasets.ts';
import type { Delivery } from '../../client/areas/jobs/delivery.ts';
import type { ServiceProfile } from '../../client/profile.ts';
import type { DeliveryDestination, DeliverySpec, SecretSource } from '../declared/deliverySpec.ts';
import type { ScheduleSpec } from '../declared/scheduleSpec.ts';

export type Trigger =
  | { target: 'collector'; trigger: CollectorTrigger }
  | { target: 'dataset'; trigger: DatasetTrigger };

/** `delivery` is the schedule's own or named delivery, with secrets in place of references. */
export function triggerOf(spec: ScheduleSpec, delivery: DeliverySpec | undefined, profile: ServiceProfile): Trigger {
  const { collector, dataset } = spec;
  if (dataset !== undefined) return { target: 'dataset', trigger: datasetTrigger(dataset, spec, delivery) };
  if (collector === undefined) throw new TypeError('a schedule without a target passed validation');
  return { target: 'collector', trigger: collectorTrigger(collector, spec, delivery, profile) };
}

function collectorTrigger(
  collector: string,
  spec: ScheduleSpec,
  delivery: DeliverySpec | undefined,
  profile: ServiceProfile,
): CollectorTrigger {
  const { inputs, queueNext, dev, runName: name, queue, noMedia, maxTime, overlap } = spec;
  return {
    collector,
    inputs,
    queueNext,
    dev,
    name,
    queue,
    noMedia,
    maxTime,
    notify: delivery?.notify,
    deliver: delivery && deliverOf(delivery, profile),
    cancelRunning: overlap === 'cancel' ? true : undefined,
  };
}

/** Datasets deliver to webhooks only (specification, C1). */
function datasetTrigger(datasetId: string, { inputs, format }: ScheduleSpec, delivery?: DeliverySpec): DatasetTrigger {
  if (delivery?.endpoint === undefined) return { datasetId, inputs, format };
  const { endpoint, compression, authorization } = delivery;
  return {
    datasetId,
    inputs,
    format,
    endpoint,
    uncompressed: compression === 'none',
    authorization: authorization && resolvedText(authorization),
  };
}

function deliverOf(
  { endpoint, compression, authorization, destination }: DeliverySpec,
  { collectors: names }: ServiceProfile,
): Delivery | undefined {
  if (destination !== undefined) return destinationOf(destination);
  if (endpoint === undefined) return undefined;
  return {
    type: 'webhook',
    [names.webhookEndpointField]: endpoint,
    ...(compression === 'none' && { [names.webhookUncompressedField]: true }),
    ...(authorization !== undefined && { [names.webhookAuthorizationField]: resolvedText(authorization) }),
  };
}

function destinationOf(destination: DeliveryDestination): Delivery {
  if (destination.type !== 's3') return destination;
  const { credentials, ...rest } = destination;
  const { accessKey, secretKey } = credentials;
  return {
    ...rest,
    credentials: { accessKey: resolvedText(accessKey), secretKey: resolvedText(secretKey) },
  } as Delivery;
}

function resolvedText(source: SecretSource): string {
  if (typeof source === 'string') return source;
  throw new TypeError('a reference to a secret was not resolved before sending');
}
