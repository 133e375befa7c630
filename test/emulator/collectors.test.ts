/** Area B of the emulator: what a trigger takes, and how a run goes from building to expired. */
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { get, send, start } from './helpers.ts';
import { movedClock, running, sendSpec, shop, started, trigger } from './runs.ts';

const day = 24 * 60 * 60;

test('a run is triggered, builds, is ready, and expires after 16 days', async () => {
  const { clock, pass } = movedClock();
  const emulator = await start(running, { clock });
  const { received } = await sendSpec(emulator, 'collectorTrigger');
  const answered = { collection_id: expect.stringMatching(/^j_\w+$/), start_eta: '2026-03-01T12:00:00.000Z' };
  expect(received).toMatchObject({ status: 200, body: answered });
  const { collection_id: collectionId } = received.body as { collection_id: string };

  const expectAnswer = async (name: string) => {
    const { received, answer } = await sendSpec(emulator, name, { collectionId });
    expect({ status: received.status, body: received.body }).toEqual(answer);
  };
  await expectAnswer('collectorBuilding');
  pass(10);
  await expectAnswer('collectorDataset');
  pass(16 * day - 1);
  await expectAnswer('collectorDataset');
  pass(1);
  await expectAnswer('collectorNoRows');
});

describe('a trigger', () => {
  test('starts a new run each time', async () => {
    const emulator = await start(running);
    const ids = [await started(emulator, 'collector=c_prices'), await started(emulator, 'collector=c_prices')];
    expect(new Set(ids).size).toBe(2);
    expect(emulator.requests().at(-1)?.effect).toEqual({ started: ids[1], of: 'c_prices' });
  });

  test.each<[string, unknown, number, string]>([
    ['collector=c_none', { url: 'x' }, 400, 'Bad request: the body is not an array'],
    ['collector=c_none', [], 400, 'Bad request: the body is an empty array'],
    ['queue_next=1', shop, 400, 'Bad request: query parameter collector is missing'],
    ['collector=c_other', shop, 404, 'Collector not found: c_other'],
    ['collector=constructor', shop, 404, 'Collector not found: constructor'],
    ['collector=c_none&deadline=2', shop, 400, 'query parameter deadline is not a number with h, m or s'],
    ['collector=c_none', ['x'], 422, 'input 0: not an object'],
    ['collector=c_none', [...shop, { link: 'x' }], 422, 'input 2: unknown field link'],
    ['collector=c_none', [{ url: 1 }], 422, 'input 0: url is not of type string'],
    ['collector=c_none', [{ url: null }], 422, 'input 0: url is required'],
    ['collector=c_none&notify={', shop, 400, 'Bad request: query parameter notify is not JSON'],
    ['collector=c_none&notify={"type":"webhook"}', shop, 400, 'Bad request: notify.endpoint: '],
    ['collector=c_none&deliver={"type":"ftp"}', shop, 400, 'Bad request: deliver.type: '],
  ])('%s with %j is refused', async (query, json, status, text) => {
    const emulator = await start(running);
    const received = await trigger(emulator, query, json);
    expect(received).toMatchObject({ status, text: expect.stringContaining(text) });
    expect(emulator.requests().at(-1)?.effect).toBeNull();
  });

  test('needs a key, and a role with API usage', async () => {
    const { apiUrl, keys } = await start(running);
    const url = `${apiUrl}/dca/trigger?collector=c_none`;
    expect((await send('POST', url, { json: shop })).status).toBe(401);
    expect((await send('POST', url, { json: shop, key: keys.finance })).status).toBe(403);
    expect((await send('POST', url, { json: shop, key: keys.user })).status).toBe(200);
  });

  test('leaves no credentials in the log', async () => {
    const emulator = await start(running);
    await sendSpec(emulator, 'collectorTrigger');
    const log = JSON.stringify(emulator.requests());
    expect(log).toContain('results');
    expect(log).not.toMatch(/AKIAEXAMPLE01|s3-secret-value/);
  });
});

describe('rows', () => {
  test('repeat the input, with null for missing fields', async () => {
    const emulator = await start(running);
    const id = await started(emulator, 'collector=c_typed', [{ keyword: 'tea', country: 'us' }, { keyword: 'tin' }]);
    const tea = { found: 'tea in us', input: { keyword: 'tea', pages: null, country: 'us' } };
    const tin = { found: 'tin in ', input: { keyword: 'tin', pages: null, country: null } };
    expect((await get(emulator, `/dca/dataset?id=${id}`)).body).toEqual([tea, tea, tin, tin]);
  });

  test('may be none at all', async () => {
    const emulator = await start(running);
    const id = await started(emulator, 'collector=c_none');
    expect((await get(emulator, `/dca/dataset?id=${id}`)).body).toEqual([]);
  });

  test('of an unknown run are refused', async () => {
    const emulator = await start(running);
    expect(await get(emulator, '/dca/dataset?id=j_nothing')).toMatchObject({
      status: 404,
      body: { error: 'Snapshot not found' },
    });
  });
});

test('a client repeats a trigger that was answered 5xx, which starts a second run where the first had its effect', async () => {
  const emulator = await start(running);
  const retry = { minDelayMs: 1 };
  const client = createClient({ url: emulator.apiUrl, apiKey: emulator.keys.user, retry });
  emulator.addFault({ route: 'dca/trigger', occurrence: 1, fault: { kind: 'status', status: 503 } });
  emulator.addFault({ route: 'dca/trigger', occurrence: 2, fault: { kind: 'status', status: 503, when: 'after' } });
  const { collectionId } = await client.collectors.trigger({ collector: 'c_none', inputs: shop });
  expect(emulator.runs().map(({ id }) => id)).toEqual([expect.stringMatching(/^j_/), collectionId]);
  await client.close();
});

test('a client that lost the answer to a trigger does not send it again', async () => {
  const emulator = await start(running);
  const client = createClient({ url: emulator.apiUrl, apiKey: emulator.keys.user, retry: { minDelayMs: 1 } });
  emulator.addFault({ route: 'dca/trigger', fault: { kind: 'drop-after' } });
  const lost = client.collectors.trigger({ collector: 'c_none', inputs: shop });
  await expect(lost).rejects.toMatchObject({ code: 'connection-lost', effect: 'unknown' });
  expect(emulator.runs()).toHaveLength(1);
  await client.close();
});
