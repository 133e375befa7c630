/** Collector jobs (specification, B): triggers and their results. */
import { z } from 'zod';
import { parsedJson } from '../../base/values/plain.ts';
import type { Permission } from '../core/permissions.ts';
import { Refusal } from '../core/refusal.ts';
import type { Job } from '../core/runs.ts';
import type { World } from '../core/world.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { optionalQueryOf, queryOf, type Route, type RouteAnswer, type RouteCall, validValue } from '../http/route.ts';
import type { DeliveryPlan } from '../jobs/deliveries.ts';
import { type DeliverySettings, deliverySettingsSchema } from '../jobs/deliverySettings.ts';
import { type Destination, destinationOf } from '../jobs/destinations.ts';
import { rowAnswer } from '../jobs/rowText.ts';
import { inputsOf, sourceOf } from '../jobs/runSchemas.ts';

/** Roles that may trigger jobs and read their results. Finance and Limit have no API usage ("Permission levels"). */
export const runners: readonly Permission[] = ['Admin', 'Ops', 'User'];

export function collectorRoutes(): Route[] {
  return [
    { name: 'dca/trigger', server: 'api', method: 'POST', path: '/dca/trigger', access: runners, handle: trigger },
    { name: 'dca/dataset', server: 'api', method: 'GET', path: '/dca/dataset', access: runners, handle: dataset },
  ];
}

/** Answers `{collection_id, start_eta}` immediately (B1). Each trigger starts a new job. */
function trigger({ account, dialect, runs, deliveries }: World, call: RouteCall): RouteAnswer {
  const collector = queryOf(call, 'collector');
  const source = sourceOf(account.collectors, collector);
  if (source === undefined) throw new Refusal('unknown-collector', collector);
  const notify = settingOf(call, 'notify', notification);
  const deliver = settingOf(call, 'deliver', deliverySettingsSchema);
  const options = optionsOf(call);
  const inputs = inputsOf(call.json(), source, 'inputs-mismatch');
  const run = runs.start({ prefix: 'j', of: collector, source, inputs, ...options });
  deliveries.schedule(run, plansOf(notify, deliver, source.deliver));
  return { ...acceptedForm(run, dialect), effect: { started: run.id, of: collector } };
}

/** Returns the answer to a trigger: `{collection_id, start_eta}`, or the form of the dialect. */
function acceptedForm({ id, triggeredAt }: Job, { triggerAnswers }: Dialect): RouteAnswer {
  const { collectorId, startEta, status } = triggerAnswers;
  const etas: Record<typeof startEta, unknown> = {
    iso: new Date(triggeredAt).toISOString(),
    seconds: Math.floor(triggeredAt / 1000),
    words: 'in a moment',
    null: null,
    missing: undefined,
  };
  return { status, body: { [collectorId]: id, start_eta: etas[startEta] } };
}

/** Answers a notice, then the rows, then an empty array (B2). A cancelled job has an empty array immediately. */
function dataset({ runs, dialect }: World, call: RouteCall): RouteAnswer {
  const id = queryOf(call, 'id');
  const run = runs.find(id);
  const { states, unknownSeconds } = dialect.results;
  if (run === undefined || !runs.isKnown(run, unknownSeconds)) throw new Refusal('unknown-snapshot', id);
  const state = runs.stateOf(run);
  if (state === 'building') throw new Refusal('job-building', runs.progressOf(run, states));
  if (state === 'failed') throw new Refusal('job-failed', run.source.fails);
  return state === 'ready' ? rowAnswer(run, 'json') : { body: [] };
}

/** Reads the options of a job; each starts at once, in any queue. The specification does not show their names, except `queue_next`. */
function optionsOf(call: RouteCall) {
  optionalQueryOf(call, 'queue');
  if (!/^\d{1,9}$/.test(optionalQueryOf(call, 'queue_next') ?? '0'))
    throw new Refusal('invalid-request', 'queue_next is not an integer');
  if (![undefined, 'dev'].includes(optionalQueryOf(call, 'version'))) {
    throw new Refusal('invalid-request', 'query parameter version is not dev');
  }
  isOn(call, 'no_downloads');
  return {
    name: optionalQueryOf(call, 'name'),
    cancelsRunning: isOn(call, 'cancel_running'),
    maxSeconds: secondsOf(optionalQueryOf(call, 'deadline')),
  };
}

/** Reads a boolean query parameter: 1 or true, 0 or false. */
function isOn(call: RouteCall, name: string): boolean {
  const value = optionalQueryOf(call, name) ?? '0';
  if (!/^(0|1|true|false)$/.test(value)) throw new Refusal('invalid-request', `query parameter ${name} is not 1 or 0`);
  return value === '1' || value === 'true';
}

const unitSeconds: Record<string, number> = { h: 3600, m: 60, s: 1 };

function secondsOf(time: string | undefined): number | undefined {
  if (time === undefined) return undefined;
  const [, count, unit = ''] = /^(\d{1,9})([hms])$/.exec(time) ?? [];
  if (count !== undefined) return Number(count) * (unitSeconds[unit] ?? 1);
  throw new Refusal('invalid-request', 'query parameter deadline is not a number with h, m or s');
}

/**
 * Returns the planned deliveries (Events, 1). If a trigger has both `notify` and `deliver`, the notification is last; it does not wait for
 * the collector's own delivery, `usual`.
 */
function plansOf(
  notify: z.output<typeof notification> | undefined,
  deliver: DeliverySettings | undefined,
  usual: DeliverySettings | undefined,
): DeliveryPlan[] {
  const result = deliver ?? usual;
  return [
    ...(result === undefined ? [] : [{ carries: 'result' as const, to: destinationOf(result) }]),
    ...(notify ? [{ carries: 'notification' as const, to: notifiedAt(notify), isLast: deliver !== undefined }] : []),
  ];
}

function notifiedAt(notify: z.output<typeof notification>): Destination {
  return notify.type === 'webhook' ? { type: 'webhook', url: notify.endpoint, uncompressed: true } : { type: 'email' };
}

const notification = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('webhook'), endpoint: z.url({ protocol: /^https?$/ }) }),
  z.looseObject({ type: z.literal('email') }),
]);

/** Reads a query parameter that holds a JSON object. */
function settingOf<Schema extends z.ZodType>(
  call: RouteCall,
  name: string,
  schema: Schema,
): z.output<Schema> | undefined {
  const text = optionalQueryOf(call, name);
  if (text === undefined) return undefined;
  const value = parsedJson(text);
  if (value === undefined) throw new Refusal('invalid-request', `query parameter ${name} is not JSON`);
  return validValue(schema, value, [name]);
}
