/** Dataset collections and their snapshots (C). */

import { Refusal } from '../core/refusal.ts';
import type { World } from '../core/world.ts';
import { optionalQueryOf, queryOf, type Route, type RouteAnswer, type RouteCall } from '../http/route.ts';
import type { WebhookDestination } from '../jobs/destinations.ts';
import { type Format, formats, rowAnswer } from '../jobs/rowText.ts';
import { inputsOf, sourceOf } from '../jobs/runSchemas.ts';
import { runners } from './collectors.ts';

export function datasetRoutes(): Route[] {
  return [
    {
      name: 'datasets/trigger',
      server: 'api',
      method: 'POST',
      path: '/datasets/v3/trigger',
      access: runners,
      handle: trigger,
    },
    {
      name: 'datasets/download',
      server: 'api',
      method: 'GET',
      path: '/datasets/snapshots/:id/download',
      access: runners,
      handle: download,
    },
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
async function download({ runs, dialect }: World, call: RouteCall): Promise<RouteAnswer> {
  const { id = '' } = call.params;
  const format = formatOf(call);
  const run = runs.find(id);
  const state = run && runs.stateOf(run);
  if (run === undefined || !runs.isKnown(run, dialect.results.unknownSeconds))
    throw new Refusal('unknown-snapshot', id);
  if (state === 'expired' || state === 'cancelled') throw new Refusal('unknown-snapshot', id);
  if (state === 'building') throw new Refusal('snapshot-building', id);
  if (state === 'failed') throw new Refusal('snapshot-failed', run.source.fails);
  return rowAnswer(run, format);
}

/** Reads the webhook of a trigger, which the specification names both `endpoint` and `webhook`. */
function webhookOf(call: RouteCall): WebhookDestination | undefined {
  const url = optionalQueryOf(call, 'endpoint') ?? optionalQueryOf(call, 'webhook');
  if (url === undefined) return undefined;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new Refusal('invalid-request', 'the webhook is not an http or https URL');
  }
  const authorization = optionalQueryOf(call, 'webhook_header_Authorization');
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
  const format = formats.find((name) => name === asked);
  if (format === undefined) throw new Refusal('invalid-request', `format is not ${formats.join(', ')}`);
  return format;
}
