/** What a schedule and its delivery make of a trigger: the request that goes out. */
import { describe, expect, it } from 'vitest';
import { triggerRequest } from '../../src/client/areas/jobs/collectorTrigger.ts';
import { parseProfile } from '../../src/client/profile.ts';
import { deliverySpec } from '../../src/triggers/declared/deliverySpec.ts';
import { scheduleSpec } from '../../src/triggers/declared/scheduleSpec.ts';
import { triggerOf } from '../../src/triggers/worker/trigger.ts';

const inputs = [{ url: 'https://shop.example.com/a' }];

function collectorQuery(schedule: object, delivery?: object, profile: object = {}): Record<string, unknown> {
  const spec = scheduleSpec().parse({ collector: 'c_prices', every: '1h', inputs, ...schedule });
  const known = parseProfile(profile);
  const made = triggerOf(spec, delivery && deliverySpec().parse(delivery), known);
  if (made.target !== 'collector') throw new Error('a dataset was triggered');
  const { query = {} } = triggerRequest(made.trigger, known);
  const parsed = Object.entries(query).map(([name, text]) => [name, text?.startsWith('{') ? JSON.parse(text) : text]);
  return Object.fromEntries(parsed);
}

describe('a collector', () => {
  it('is triggered without options that the schedule does not set', () => {
    expect(collectorQuery({})).toEqual({ collector: 'c_prices' });
  });

  it('is triggered with all options that the schedule sets', () => {
    const schedule = {
      queueNext: true,
      dev: true,
      runName: 'prices',
      queue: 'q',
      noMedia: true,
      maxTime: '2h',
      overlap: 'cancel',
    };
    expect(collectorQuery(schedule)).toEqual({
      collector: 'c_prices',
      queue_next: '1',
      version: 'dev',
      name: 'prices',
      queue: 'q',
      no_downloads: '1',
      deadline: '2h',
      cancel_running: '1',
    });
  });

  const endpoint = 'https://hooks.example.com/webdata';

  it.each([
    ['a webhook', { endpoint }, { deliver: { type: 'webhook', endpoint } }],
    [
      'a webhook, uncompressed and authorized',
      { endpoint, compression: 'none', authorization: 'Bearer hook' },
      {
        deliver: {
          type: 'webhook',
          endpoint,
          uncompressed_webhook: true,
          webhook_header_Authorization: 'Bearer hook',
        },
      },
    ],
    [
      'a bucket',
      {
        destination: {
          type: 's3',
          bucket: 'results',
          region: 'eu-central-1',
          credentials: { accessKey: 'key', secretKey: 'secret' },
          deliveryType: 'deliver_results',
        },
      },
      {
        deliver: {
          type: 's3',
          bucket: 'results',
          region: 'eu-central-1',
          credentials: { 'aws-access-key': 'key', 'aws-secret-key': 'secret' },
          delivery_type: 'deliver_results',
        },
      },
    ],
    [
      'another place, as it stands there',
      { destination: { type: 'sftp', host: 'files.example.com' } },
      { deliver: { type: 'sftp', host: 'files.example.com' } },
    ],
    ['who is told', { notify: { type: 'webhook', endpoint } }, { notify: { type: 'webhook', endpoint } }],
  ])('delivers to %s', (_, delivery, query) => {
    expect(collectorQuery({}, delivery)).toEqual({ collector: 'c_prices', ...query });
  });

  it('calls the fields of a webhook as the profile says', () => {
    const collectors = { webhookEndpointField: 'url', webhookAuthorizationField: 'header' };
    const query = collectorQuery({}, { endpoint, authorization: 'Bearer hook' }, { collectors });
    expect(query.deliver).toEqual({ type: 'webhook', url: endpoint, header: 'Bearer hook' });
  });
});

it('a dataset is delivered to a webhook, compressed unless told otherwise', () => {
  const spec = scheduleSpec().parse({ dataset: 'gd_profiles', every: '1d', inputs, format: 'ndjson' });
  const delivery = { endpoint: 'https://hooks.example.com/', compression: 'none', authorization: 'Bearer hook' };
  expect(triggerOf(spec, deliverySpec().parse(delivery), parseProfile())).toEqual({
    target: 'dataset',
    trigger: {
      datasetId: 'gd_profiles',
      inputs,
      format: 'ndjson',
      endpoint: 'https://hooks.example.com/',
      uncompressed: true,
      authorization: 'Bearer hook',
    },
  });
  expect(triggerOf(spec, undefined, parseProfile())).toEqual({
    target: 'dataset',
    trigger: { datasetId: 'gd_profiles', inputs, format: 'ndjson' },
  });
});

it('a reference is never sent in place of a secret', () => {
  const spec = scheduleSpec().parse({ collector: 'c_prices', every: '1h', inputs });
  const delivery = deliverySpec().parse({ endpoint: 'https://hooks.example.com/', authorization: { env: 'HOOK' } });
  expect(() => triggerOf(spec, delivery, parseProfile())).toThrow('was not resolved');
});

it('a schedule without a target is never sent', () => {
  const spec = scheduleSpec().parse({ collector: 'c_prices', every: '1h', inputs });
  expect(() => triggerOf({ ...spec, collector: undefined }, undefined, parseProfile())).toThrow('without a target');
});
