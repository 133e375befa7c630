/** Calls of webhooks (Events), and what the admin route does to runs. */
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { AccountInput, Emulator } from '../../src/emulator/index.ts';
import { get, send, start } from './helpers.ts';
import { receiver } from './receiver.ts';
import { movedClock, running, shop, started } from './runs.ts';

const hasty: AccountInput = {
  ...running,
  dialect: { delivery: { attempts: 3, firstDelayMs: 1, acknowledgeMs: 1000 } },
};

test('a webhook gets the same bytes as a download, compressed, with its authorization', async () => {
  const hook = await receiver(200);
  const emulator = await start(hasty);
  const id = await collect(emulator, {
    endpoint: `${hook.url}/in?key=abc`,
    webhook_header_Authorization: 'Bearer hook-1',
  });
  await expect
    .poll(() => emulator.deliveries())
    .toEqual([
      { run: id, carries: 'result', type: 'webhook', url: `${hook.url}/in`, state: 'delivered', attempts: [200] },
    ]);
  const [{ headers, body } = { headers: {}, body: Buffer.of() }] = hook.received;
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', authorization: 'Bearer hook-1' });
  const downloaded = await get(emulator, `/datasets/snapshots/${id}/download`);
  expect(JSON.parse(gunzipSync(body).toString())).toEqual(downloaded.body);
  expect(JSON.stringify(emulator.requests())).not.toContain('hook-1');
});

test('a webhook gets the result uncompressed on request', async () => {
  const hook = await receiver(200);
  const emulator = await start(hasty);
  await collect(emulator, { webhook: hook.url, uncompressed_webhook: 'true' });
  await expect.poll(() => hook.received.length).toBe(1);
  expect(hook.received[0]?.headers).not.toHaveProperty('content-encoding');
  expect(JSON.parse(String(hook.received[0]?.body))).toHaveLength(3);
});

test('a delivery fails after its last attempt, and 201 does not count as success', async () => {
  const hook = await receiver(201);
  const emulator = await start(hasty);
  await collect(emulator, { endpoint: hook.url });
  await expect.poll(() => emulator.deliveries()).toMatchObject([{ state: 'given-up', attempts: [201, 201, 201] }]);
});

test('a webhook whose host is not among the targets is never called', async () => {
  const hook = await receiver(200);
  const emulator = await start({ ...hasty, targets: ['hooks.example.com'] });
  await collect(emulator, { endpoint: hook.url });
  expect(emulator.deliveries()).toMatchObject([{ state: 'withheld', attempts: [] }]);
});

test('an emulator with a waiting delivery closes at once', async () => {
  const emulator = await start({ ...hasty, datasets: { gd_many: { seconds: 3600 } } });
  await collect(emulator, { endpoint: 'http://127.0.0.1:9/' });
  await emulator.close();
});

test('the admin route lists runs and finishes them', async () => {
  const { clock } = movedClock();
  const emulator = await start(running, { clock });
  const id = await started(emulator, 'collector=c_prices&queue_next=1');
  const admin = (method: string, path: string, json?: unknown) =>
    send(method, `${emulator.apiUrl}/_emulator/${path}`, { json });
  const dataset = async () => (await get(emulator, `/dca/dataset?id=${id}`)).body;

  expect((await admin('GET', 'runs')).body).toEqual([{ id, of: 'c_prices', state: 'building' }]);
  expect((await admin('POST', 'runs/finish', { id })).status).toBe(204);
  expect(await dataset()).toHaveLength(2);
  expect((await admin('GET', 'deliveries')).body).toEqual([]);
  expect((await admin('POST', 'runs/finish', { id: 'j_x' })).body).toEqual({
    problems: [{ code: 'unknown-run', found: 'job `j_x` does not exist', allowed: id }],
  });
});

async function collect(emulator: Emulator, query: Record<string, string>): Promise<string> {
  const url = `${emulator.apiUrl}/datasets/v3/trigger?${new URLSearchParams({ dataset_id: 'gd_many', ...query })}`;
  const { body } = await send('POST', url, { key: emulator.keys.user, json: shop });
  return (body as { snapshot_id: string }).snapshot_id;
}

test('no output contains the credentials of a delivery', async () => {
  const to = { type: 's3' as const, bucket: 'results', credentials: { 'aws-secret-key': 's3-secret-value' } };
  const emulator = await start({ id: 'hl_example', collectors: { c_prices: { deliver: to } } });
  await started(emulator, `${new URLSearchParams({ collector: 'c_prices', deliver: JSON.stringify(to) })}`);
  const shown = JSON.stringify([emulator.deliveries(), emulator.runs(), emulator.requests(), emulator.state()]);
  expect(shown).toContain('results');
  expect(shown).not.toContain('s3-secret-value');
});
