/** Area B: batches are triggered once, polled, and read row by row. */
import { describe, expect, test } from 'vitest';
import type { CollectorResult } from '../../src/client/areas/jobs/collectors.ts';
import type { CollectorTrigger } from '../../src/client/areas/jobs/collectorTrigger.ts';
import type { PollProgress } from '../../src/client/areas/jobs/results/pollJob.ts';
import type { RequestEvent } from '../../src/client/transport/requestLog.ts';
import { type Loopback, loopback, type Reply } from './loopback.ts';
import { apiKey, clientOf, failureOf } from './setup.ts';
import { specFile } from './specFile.ts';
import { collected } from './streams.ts';

const places = { apiKey, collectionId: 'j_abc123' };
const inputs = [{ url: 'https://shop.example.com/1' }, { url: 'https://shop.example.com/2' }];
const plain: CollectorTrigger = { collector: 'c_prices', inputs };
const credentials = { accessKey: 'AKIAEXAMPLE01', secretKey: 's3-secret-value' };
const full: CollectorTrigger = {
  ...plain,
  queueNext: true,
  notify: { type: 'webhook', endpoint: 'https://hooks.example.com/done' },
  deliver: {
    type: 's3',
    bucket: 'results',
    region: 'eu-west-1',
    directory: 'prices',
    filename: { template: 'run-{[datetime]}', extension: 'json' },
    credentials,
    deliveryType: 'deliver_results',
  },
};
const building = specFile('collectorBuilding', places);
const ready = specFile('collectorDataset', places);
const noRows = specFile('collectorNoRows', places);
const triggered = specFile('collectorTrigger', places);

describe('a trigger', () => {
  test('sends what the specification does not name under the names of the profile', async () => {
    const server = await loopback(triggered.answer);
    const options = { dev: true, name: 'nightly', queue: 'shop', cancelRunning: true, noMedia: true, maxTime: '2h' };
    await clientOf(server.url).collectors.trigger({ ...plain, ...options });
    const profile = { collectors: { nameParameter: 'label', accessKeyField: 'x-key', secretKeyField: 'x-secret' } };
    const deliver = { type: 's3', bucket: 'b', credentials } as const;
    await clientOf(server.url, { profile }).collectors.trigger({
      ...plain,
      name: 'nightly',
      queueNext: false,
      deliver,
    });
    expect(server.requests.map(({ query }) => query)).toEqual([
      {
        collector: 'c_prices',
        version: 'dev',
        name: 'nightly',
        queue: 'shop',
        cancel_running: '1',
        no_downloads: '1',
        deadline: '2h',
      },
      {
        collector: 'c_prices',
        queue_next: '0',
        label: 'nightly',
        deliver: '{"type":"s3","bucket":"b","credentials":{"x-key":"AKIAEXAMPLE01","x-secret":"s3-secret-value"}}',
      },
    ]);
  });

  test.each<[string, object, PropertyKey[]]>([
    ['another id', { collector: 'prices' }, ['collector']],
    ['no inputs', { inputs: [] }, ['inputs']],
    ['one bare input', { inputs: { url: 'x' } }, ['inputs']],
    ['an input that is a text', { inputs: [{}, 'x'] }, ['inputs', 1]],
    ['a webhook without endpoint', { notify: { type: 'webhook' } }, ['notify', 'endpoint']],
    ['a webhook that is no URL', { notify: { type: 'webhook', endpoint: 'hooks' } }, ['notify', 'endpoint']],
    ['another type of notification', { notify: { type: 'sms' } }, ['notify', 'type']],
    ['another type of delivery', { deliver: { type: 'ftp' } }, ['deliver', 'type']],
    ['a bucket without credentials', { deliver: { type: 's3', bucket: 'b' } }, ['deliver', 'credentials']],
    ['a delivery to no URL', { deliver: { type: 'webhook', endpoint: 'hooks' } }, ['deliver', 'endpoint']],
    [
      'an authorization without an endpoint',
      { deliver: { type: 'webhook', webhook_header_Authorization: 'Bearer hook-secret-1' } },
      ['deliver', 'webhook_header_Authorization'],
    ],
    [
      'a compression without an endpoint',
      { deliver: { type: 'webhook', uncompressed_webhook: true } },
      ['deliver', 'uncompressed_webhook'],
    ],
    ['a time without unit', { maxTime: '90' }, ['maxTime']],
    ['no time at all', { maxTime: '0m' }, ['maxTime']],
    ['a field of another name', { max_time: '1h' }, ['max_time']],
  ])('with %s is refused before it is sent', async (_what, wrong, path) => {
    const server = await loopback(triggered.answer);
    const sent = clientOf(server.url).collectors.trigger({ ...plain, ...wrong });
    await expect(sent).rejects.toMatchObject({
      name: 'ProblemError',
      problems: [{ path, found: expect.any(String), allowed: expect.any(String) }],
    });
    expect(server.requests).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ['no start_eta', { collection_id: 'j_1' }, 'j_1'],
    ['an odd start_eta', { collection_id: 'j_1', start_eta: 1_790_000_000 }, 'j_1'],
    ['another id field', { snapshot_id: 'j_1', start_eta: null }, 'j_1'],
    ['an id by its form', { run: 'j_1', id: 'request-7' }, 'j_1'],
    ['a mere id', { id: 'abc-1' }, 'abc-1'],
    ['a mere id in an object', { data: { id: 'abc-1' } }, 'abc-1'],
    ['a mere id after those of others', { input: [{ id: 'row-1' }], dataset: { id: 'gd_1' }, id: 'abc-1' }, 'abc-1'],
    ['an id with other letters', { data: { collection_id: 'abc/1+2' } }, 'abc/1+2'],
    ['the more certain of two ids', { job_id: 'request-7', jobId: 'j_1' }, 'j_1'],
    ['a number', { collection_id: 17 }, '17'],
    ['an object in an object', { data: { collection_id: 'j_1' } }, 'j_1'],
    ['a list of one', [{ collection_id: 'j_1' }], 'j_1'],
    ['a text', 'j_1\n', 'j_1'],
    ['a JSON text', '"j_1"', 'j_1'],
    ['JSON that was cut short', '{"collection_id":"j_1","start_e', 'j_1'],
    ['a byte order mark', '\ufeff{"collection_id":"j_1"}', 'j_1'],
    ['an error beside the id', { error: 'queue is slow', collection_id: 'j_1' }, 'j_1'],
  ])('that is answered with %s has an id', async (_what, body, collectionId) => {
    const server = await loopback({ status: 202, body });
    expect(await clientOf(server.url).collectors.trigger(plain)).toMatchObject({ collectionId });
  });

  test.each<[string, unknown, string]>([
    ['an error object', { error: 'no such collector', id: 'request-7' }, 'no such collector'],
    ['an HTML page', '<!doctype html><title>Sign in</title>', 'Sign in'],
    ['an id that was cut short', '{"collection_id":"j_', 'j_'],
    ['nothing', '', 'received nothing'],
  ])('that is answered with %s may have been accepted, and shows what came', async (_what, body, shown) => {
    const server = await loopback({ body });
    const failure = await failureOf(clientOf(server.url).collectors.trigger(plain));
    expect(failure).toMatchObject({ code: 'unexpected-answer', effect: 'unknown' });
    expect(failure.message).toContain(shown);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    [401, 'unauthorized', 'Use a valid API key (WEBDATA_API_KEY): this one is missing, malformed or revoked.'],
    [404, 'not-found', 'Check the collector ID c_prices: it does not exist, or the account has no access to it.'],
    [422, 'refused', "Match the field names of the inputs to the collector's inputs."],
  ])('that is answered %i is not repeated, and says what to do', async (status, code, fix) => {
    const server = await loopback({ status, body: 'the words of the service' });
    const failure = await failureOf(clientOf(server.url).collectors.trigger(plain));
    expect(failure).toMatchObject({ code, fix, effect: 'none' });
    expect(failure.message).toContain(`was answered ${status}: the words of the service`);
    expect(server.requests).toHaveLength(1);
  });

  test('that is answered 5xx is repeated three times, then its effect is not known', async () => {
    const server = await loopback({ status: 500 }, { status: 503 }, triggered.answer);
    expect(await clientOf(server.url).collectors.trigger(plain)).toMatchObject({ collectionId: 'j_abc123' });
    const down = await loopback({ status: 502 });
    const failure = await failureOf(clientOf(down.url).collectors.trigger(plain));
    expect(failure).toMatchObject({ code: 'server-error', effect: 'unknown' });
    expect(down.requests).toHaveLength(4);
  });

  test.each([
    ['is lost', { fault: 'drop' as const }, 'connection-lost'],
    ['breaks off', { ...triggered.answer, fault: 'truncate' as const }, 'unexpected-answer'],
    ['is a page', { body: '<!doctype html><title>Sign in</title>' }, 'unexpected-answer'],
  ])('whose answer %s is never repeated, and its effect is not known', async (_what, reply, code) => {
    const server = await loopback(reply, triggered.answer);
    const failure = await failureOf(clientOf(server.url).collectors.trigger(plain));
    expect(failure).toMatchObject({ code, effect: 'unknown' });
    expect(server.requests).toHaveLength(1);
  });

  test('shows no credentials in its errors and in the log, not even where the service repeats them', async () => {
    const log: RequestEvent[] = [];
    const said = `cannot sign in with ${credentials.secretKey} of ${credentials.accessKey}`;
    const server = await loopback({ status: 422, body: said });
    const client = clientOf(server.url, { onRequest: (event) => void log.push(event) });
    const failure = await failureOf(client.collectors.trigger(full));
    const seen = JSON.stringify([failure, log]);
    expect(seen).toContain('cannot sign in with *** of ***');
    expect(seen).not.toMatch(/AKIAEXAMPLE01|s3-secret-value/);
    expect(server.requests[0]?.query.deliver).toContain(credentials.secretKey);
  });

  test.each([
    ['a credential', 'Bearer hook-canary', 'hook-canary'],
    ['a short one', 'Bearer k9x7', 'k9x7'],
    ['one without a scheme', 'hook-canary', 'hook-canary'],
  ])('shows no authorization of a webhook, whatever the profile calls its field: %s', async (_what, header, said) => {
    const log: RequestEvent[] = [];
    const server = await loopback({ status: 422, body: `cannot call it with ${said}` });
    const profile = { collectors: { webhookAuthorizationField: 'opening' } };
    const client = clientOf(server.url, { profile, onRequest: (event) => void log.push(event) });
    const deliver = { type: 'webhook', endpoint: 'https://hooks.example.com', opening: header } as const;
    const seen = JSON.stringify([await failureOf(client.collectors.trigger({ ...plain, deliver })), log]);
    expect(seen).toContain('cannot call it with ***');
    expect(seen).not.toContain(said);
    expect(server.requests[0]?.query.deliver).toContain(`"opening":"${header}"`);
  });
});

describe('a dataset', () => {
  test('is building, or ready with rows', async () => {
    const server = await loopback(building.answer, ready.answer);
    const { collectors } = clientOf(server.url);
    expect(await collectors.dataset('j_abc123')).toEqual({ state: 'building' });
    expect(await rowsOf(await collectors.dataset('j_abc123'))).toEqual(ready.answer.body);
    expectSent(server, [building.request, ready.request]);
  });

  const day = 24 * 60 * 60 * 1000;
  test.each<[string, { triggered?: number; ready?: number; isRealTime?: boolean }]>([
    ['empty-or-expired', {}],
    ['empty', { triggered: 15 }],
    ['empty-or-expired', { triggered: 16.5 }],
    ['expired', { triggered: 17 }],
    ['empty', { triggered: 17, ready: 15 }],
    ['expired', { triggered: 30, ready: 17 }],
    ['empty', { triggered: 6, isRealTime: true }],
    ['empty-or-expired', { triggered: 7.5, isRealTime: true }],
    ['expired', { triggered: 8, isRealTime: true }],
    ['empty', { ready: 6, isRealTime: true }],
    ['expired', { ready: 8, isRealTime: true }],
    ['empty', { ready: 8, isRealTime: false }],
  ])('without rows is %s when it was triggered and ready these days ago: %j', async (state, { isRealTime, ...ago }) => {
    const server = await loopback(noRows.answer);
    const daysAgo = (days: number | undefined) => (days === undefined ? undefined : new Date(Date.now() - days * day));
    const options = { triggeredAt: daysAgo(ago.triggered), readyAt: daysAgo(ago.ready), isRealTime };
    expect(await clientOf(server.url).collectors.dataset('j_abc123', options)).toEqual({ state });
  });

  test('in a state that has no known meaning is building, and shows its words and how long to wait', async () => {
    const headers = { 'retry-after': '7' };
    const server = await loopback({ body: { status: 'collecting', progress: 40 }, headers }, { status: 409, headers });
    const { collectors } = clientOf(server.url);
    const said = 'collecting, progress: 40';
    expect(await collectors.dataset('j_abc123')).toEqual({ state: 'building', said, retryAfterMs: 7000 });
    expect(await collectors.dataset('j_abc123')).toEqual({
      state: 'building',
      said: 'answered 409',
      retryAfterMs: 7000,
    });
  });

  test.each<[Reply]>([
    [{ body: { status: 'failed', message: 'out of memory', step: 3 } }],
    [{ body: { error: 'Collection failed' } }],
    [{ status: 400, body: { status: 'canceled', by: 'ops' } }],
  ])('that failed is an error with all the words: %j', async (reply) => {
    const server = await loopback(reply);
    const failure = await failureOf(clientOf(server.url).collectors.dataset('j_abc123'));
    expect(failure).toMatchObject({ code: 'job-failed', effect: 'none' });
    for (const word of Object.values(reply.body as object)) expect(failure.message).toContain(String(word));
    expect(server.requests).toHaveLength(1);
  });

  test('that is not known yet is building for 5 minutes after the trigger, then it does not exist', async () => {
    const server = await loopback({ status: 404, body: { error: 'Not found' } });
    const { collectors } = clientOf(server.url);
    const minutesAgo = (minutes: number) => ({ triggeredAt: new Date(Date.now() - minutes * 60_000) });
    expect(await collectors.dataset('j_abc123', minutesAgo(4))).toMatchObject({ state: 'building', said: 'Not found' });
    expect(await failureOf(collectors.dataset('j_abc123', minutesAgo(6)))).toMatchObject({ code: 'not-found' });
    expect(await failureOf(collectors.dataset('j_abc123'))).toMatchObject({ code: 'not-found' });
  });

  test('keeps rows in another layout', async () => {
    const server = await loopback(
      { body: '{"a":1}\n{"a":2}\n' },
      { body: '{\n  "title": "Item 1",\n  "input": {}\n}' },
      { body: '\uFEFF[{"a":1}, 7]' },
      { body: { status: 'ready', data: [{ a: 1 }] } },
    );
    const { collectors } = clientOf(server.url);
    const next = async () => rowsOf(await collectors.dataset('j_abc123'));
    expect(await next()).toEqual([{ a: 1 }, { a: 2 }]);
    expect(await next()).toEqual([{ title: 'Item 1', input: {} }]);
    expect(await next()).toEqual([{ a: 1 }, { value: 7 }]);
    expect(await next()).toEqual([{ status: 'ready', data: [{ a: 1 }] }]);
  });

  test('shows no secret that the service repeats', async () => {
    const server = await loopback(
      { body: { status: `collecting for ${apiKey}` } },
      { status: 409, body: { status: `collecting for ${apiKey}` } },
      { body: { status: 'failed', message: `of ${apiKey}` } },
      { status: 400, body: { status: 'failed', message: `of ${apiKey}` } },
    );
    const { collectors } = clientOf(server.url);
    const seen = [await collectors.dataset('j_1'), await collectors.dataset('j_1')];
    const failures = [await failureOf(collectors.dataset('j_1')), await failureOf(collectors.dataset('j_1'))];
    expect(JSON.stringify([seen, failures])).not.toContain(apiKey);
    expect(seen).toMatchObject([{ said: 'collecting for ***' }, { said: 'collecting for ***' }]);
  });

  test('that breaks off says after how many rows', async () => {
    const rows = Array.from({ length: 10 }, (_, index) => ({ index, text: 'x'.repeat(90) }));
    const server = await loopback({ body: rows, fault: 'truncate' });
    const result = await clientOf(server.url).collectors.dataset('j_abc123');
    expect(await failureOf(rowsOf(result))).toEqual({
      code: 'unexpected-answer',
      message: `GET ${server.url}/dca/dataset?id=j_abc123 broke off after 4 rows`,
      fix: "Ask for it again; collectors.wait('j_abc123') waits for it again.",
      effect: 'none',
    });
  });

  test('can be left in the middle', async () => {
    const rows = Array.from({ length: 50_000 }, (_, index) => ({ index, text: 'x'.repeat(90) }));
    const server = await loopback({ body: rows });
    const client = clientOf(server.url);
    const result = await client.collectors.dataset('j_abc123');
    if (result.state !== 'ready') throw new Error(`the dataset is ${result.state}`);
    for await (const row of result.rows) {
      expect(row).toEqual(rows[0]);
      break;
    }
    await client.close();
  });

  test.each([
    [{ body: { error: 'Snapshot not found' } }, 'does not exist, or its result is gone: Snapshot not found'],
    [{ body: { error: 'Format not supported' } }, 'without a result: Format not supported'],
    [{ body: 'a,b\n1,2' }, 'was answered with a table (CSV) instead of JSON'],
    [{ body: `<!doctype html><title>Sign in</title>${' '.repeat(100_000)}` }, 'an HTML page instead of JSON: Sign in'],
  ])('of another shape is an error with the words of the service', async (reply, words) => {
    const server = await loopback(reply);
    const client = clientOf(server.url);
    expect((await failureOf(client.collectors.dataset('j_abc123'))).message).toContain(words);
    await client.close();
  });
});

describe('a run', () => {
  test('is triggered and polled until there are rows', async () => {
    const server = await loopback(triggered.answer, building.answer, building.answer, ready.answer);
    const told: PollProgress[] = [];
    const poll = { pollMs: 5, onProgress: (progress: PollProgress) => void told.push(progress) };
    const { collectionId, result } = await clientOf(server.url).collectors.run(plain, poll);
    expect(collectionId).toBe('j_abc123');
    expect(await rowsOf(result)).toEqual(ready.answer.body);
    expect(told.map(({ id, polls }) => [id, polls])).toEqual([
      ['j_abc123', 1],
      ['j_abc123', 2],
    ]);
  });

  test('without rows is empty, as it cannot have expired yet', async () => {
    const server = await loopback(triggered.answer, noRows.answer);
    expect(await clientOf(server.url).collectors.run(plain)).toMatchObject({ result: { state: 'empty' } });
  });

  test('that is aborted says how to continue', async () => {
    const server = await loopback(triggered.answer, building.answer);
    const stop = new AbortController();
    const options = { signal: stop.signal, onProgress: () => stop.abort() };
    expect(await failureOf(clientOf(server.url).collectors.run(plain, options))).toEqual({
      code: 'aborted',
      message: `GET ${server.url}/dca/dataset?id=j_abc123 was aborted after 1 poll, while still building`,
      fix: "The job itself continues: collectors.wait('j_abc123') waits for it again.",
      effect: 'none',
    });
  });
});

async function rowsOf(result: CollectorResult | { state: 'building' }) {
  if (result.state !== 'ready') throw new Error(`the dataset is ${result.state}`);
  return collected(result.rows);
}

function expectSent(server: Loopback, requests: (typeof building.request)[]): void {
  expect(server.requests).toEqual(
    requests.map((request) => ({ ...request, body: request.body, headers: expect.objectContaining(request.headers) })),
  );
}
