/** Batches of collectors (B): a trigger, and the dataset that comes of it. */

import { z } from 'zod';
import type { Permission } from './core/keyring.ts';
import { Refusal } from './core/refusal.ts';
import type { World } from './core/world.ts';
import { notificationPayload } from './deliveries.ts';
import { type Answer, type Call, optionalQueryOf, queryOf, type Route } from './route.ts';
import { rowAnswer } from './rowText.ts';
import { inputsOf } from './runInputs.ts';

/** Roles that may trigger runs and read their results: Finance and Limit have no API usage ("Permission levels"). */
export const runners: readonly Permission[] = ['Admin', 'Ops', 'User'];

export function collectorRoutes(): Route[] {
  return [
    { name: 'dca/trigger', server: 'api', method: 'POST', path: '/dca/trigger', access: runners, handle: trigger },
    { name: 'dca/dataset', server: 'api', method: 'GET', path: '/dca/dataset', access: runners, handle: dataset },
  ];
}

/** B1: answers `{collection_id, start_eta}` at once. Each trigger is a run of its own. */
function trigger({ account, dialect, runs, deliveries }: World, call: Call): Answer {
  const collector = queryOf(call, 'collector');
  const source = account.collectors[collector];
  if (source === undefined) throw new Refusal('unknown-collector', collector);
  const notify = settingOf(call, 'notify', notification);
  settingOf(call, 'deliver', delivery);
  const inputs = inputsOf(call, source, 'inputs-mismatch');

  const isNext = optionalQueryOf(call, 'queue_next') === '1';
  const queued = isNext === (dialect.queueNext === 'waits');
  const run = runs.start({ prefix: 'j', of: collector, source, inputs, queued });
  if (notify?.type === 'webhook') {
    const payload = () => notificationPayload(run);
    deliveries.schedule(run, { url: notify.endpoint, carries: 'notification', payload });
  }
  const body = { collection_id: run.id, start_eta: new Date(run.startsAt).toISOString() };
  return { body, effect: { started: run.id, of: collector } };
}

/** B2: `{status: 'building'}`, then the rows, then an empty array. */
function dataset({ runs }: World, call: Call): Answer {
  const id = queryOf(call, 'id');
  const run = runs.find(id);
  if (run === undefined) throw new Refusal('unknown-snapshot', id);
  const state = runs.stateOf(run);
  if (state === 'building') return { body: { status: 'building' }, effect: null };
  return state === 'expired' ? { body: [], effect: null } : { ...rowAnswer(run, 'json'), effect: null };
}

const notification = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('webhook'), endpoint: z.url({ protocol: /^https?$/ }) }),
  z.looseObject({ type: z.literal('email') }),
]);

const delivery = z.looseObject({
  type: z.enum(['s3', 'gcs', 'azure', 'sftp', 'webhook', 'snowflake', 'email']),
});

/** A query parameter that holds a JSON object. */
function settingOf<Schema extends z.ZodType>(call: Call, name: string, schema: Schema): z.output<Schema> | undefined {
  const text = optionalQueryOf(call, name);
  if (text === undefined) return undefined;
  const result = schema.safeParse(parsed(text, name));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Refusal('invalid-request', `${[name, ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'not valid'}`);
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('invalid-request', `query parameter ${name} is not JSON`);
  }
}
