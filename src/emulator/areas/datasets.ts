/** Dataset collections and their snapshots (C). */

import { Refusal } from '../core/refusal.ts';
import type { Job, JobState } from '../core/runs.ts';
import type { World } from '../core/world.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { optionalQueryOf, queryOf, type Route, type RouteAnswer, type RouteCall } from '../http/route.ts';
import type { WebhookDestination } from '../jobs/destinations.ts';
import { type Format, formats, rowAnswer } from '../jobs/rowText.ts';
import { inputsOf, sourceOf } from '../jobs/runSchemas.ts';
import { runners } from './collectors.ts';

export function datasetRoutes({ snapshotRoutes }: Dialect): Route[] {
  const common = { server: 'api', access: runners } as const;
  const read = { ...common, method: 'GET' } as const;
  const specified: Route[] = [
    { ...read, name: 'datasets/download', path: '/datasets/snapshots/:id/download', handle: download },
  ];
  const others: Route[] = [
    { ...read, name: 'datasets/snapshot', path: '/datasets/v3/snapshot/:id', handle: snapshot },
    { ...read, name: 'datasets/progress', path: '/datasets/v3/progress/:id', handle: progress },
    { ...common, name: 'datasets/cancel', method: 'POST', path: '/datasets/v3/snapshot/:id/cancel', handle: cancel },
  ];
  return [
    { ...common, name: 'datasets/trigger', method: 'POST', path: '/datasets/v3/trigger', handle: trigger },
    ...(snapshotRoutes === 'snapshot' ? [] : specified),
    ...(snapshotRoutes === 'download' ? [] : others),
  ];
}

/** Answers `{snapshot_id}` immediately (C1). */
function trigger({ account, dialect, runs, deliveries }: World, call: RouteCall): RouteAnswer {
  const dataset = queryOf(call, 'dataset_id');
  const source = sourceOf(account.datasets, dataset);
  if (source === undefined) throw new Refusal('unknown-dataset', dataset);
  formatOf(call);
  const webhook = webhookOf(call);
  const inputs = inputsOf(call.json(), source, 'invalid-request');
  const run = runs.start({ prefix: 's', of: dataset, source, inputs });
  if (webhook !== undefined) deliveries.schedule(run, [{ carries: 'result', to: webhook }]);
  const { snapshotId, status } = dialect.triggerAnswers;
  return { status, body: { [snapshotId]: run.id }, effect: { started: run.id, of: dataset } };
}

/** Answers the content of a snapshot, or a notice (C2). An expired snapshot is unknown. */
function download({ runs, dialect }: World, call: RouteCall): RouteAnswer {
  const { id = '' } = call.params;
  const format = formatOf(call);
  const run = knownRun(call, { runs, dialect });
  if (run === undefined) throw new Refusal('unknown-snapshot', id);
  const state = runs.stateOf(run);
  if (state === 'expired' || state === 'cancelled') throw new Refusal('unknown-snapshot', id);
  if (state === 'building') throw new Refusal('snapshot-building', id);
  if (state === 'failed') throw new Refusal('snapshot-failed', run.source.fails);
  return rowAnswer(run, format);
}

/** The states of a snapshot at the routes that the specification does not have. */
const states: Record<JobState, string> = {
  building: 'running',
  ready: 'ready',
  failed: 'failed',
  cancelled: 'failed',
  expired: 'ready',
};

/** Answers the rows, 202 with the state while they are not there, 400 for an expired snapshot, and 404 for an unknown one. */
function snapshot({ runs, dialect }: World, call: RouteCall): RouteAnswer {
  const format = formatOf(call);
  const run = knownRun(call, { runs, dialect });
  if (run === undefined) return unknownSnapshot;
  const state = runs.stateOf(run);
  if (state === 'building') {
    return { status: 202, body: { status: states.building, message: 'Snapshot is not ready yet, try again in 30s' } };
  }
  if (state !== 'ready') return { status: 400, body: `Snapshot is ${state === 'expired' ? 'expired' : 'empty'}` };
  return rowAnswer(run, format);
}

function progress({ runs, dialect }: World, call: RouteCall): RouteAnswer {
  const run = knownRun(call, { runs, dialect });
  if (run === undefined) return unknownSnapshot;
  return { body: { snapshot_id: run.id, dataset_id: run.of, status: states[runs.stateOf(run)] } };
}

/** Cancels a job that is not ready. */
function cancel({ runs, dialect }: World, call: RouteCall): RouteAnswer {
  const run = knownRun(call, { runs, dialect });
  if (run === undefined) return unknownSnapshot;
  if (runs.stateOf(run) !== 'building') return { status: 400, body: 'Snapshot is not running' };
  runs.cancel(run);
  return { body: 'OK', effect: { cancelled: run.id } };
}

function knownRun(call: RouteCall, { runs, dialect }: Pick<World, 'runs' | 'dialect'>): Job | undefined {
  const run = runs.find(call.params.id ?? '');
  return run !== undefined && runs.isKnown(run, dialect.results.unknownSeconds) ? run : undefined;
}

const unknownSnapshot: RouteAnswer = { status: 404, body: 'Snapshot does not exist' };

/** Reads the webhook of a trigger, which the specification names both `endpoint` and `webhook`. */
function webhookOf(call: RouteCall): WebhookDestination | undefined {
  const url = optionalQueryOf(call, 'endpoint') ?? optionalQueryOf(call, 'webhook');
  if (url === undefined) return undefined;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new Refusal('invalid-request', 'the webhook is not an http or https URL');
  }
  const authorization = optionalQueryOf(call, 'webhook_header_Authorization') ?? optionalQueryOf(call, 'auth_header');
  const uncompressed = optionalQueryOf(call, 'uncompressed_webhook') ?? 'false';
  if (!/^(true|false)$/.test(uncompressed)) {
    throw new Refusal('invalid-request', 'uncompressed_webhook is not true or false');
  }
  return {
    type: 'webhook',
    url,
    uncompressed: uncompressed === 'true',
    ...(authorization !== undefined && { authorization }),
  };
}

function formatOf(call: RouteCall): Format {
  const asked = optionalQueryOf(call, 'format') ?? 'json';
  const format = formats.find((name) => name === (asked === 'jsonl' ? 'ndjson' : asked));
  if (format === undefined) throw new Refusal('invalid-request', `format is not ${formats.join(', ')}`);
  return format;
}
