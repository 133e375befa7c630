/** Which requests are sent again, when, and which never are. */
import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import type { Pause } from '../../src/client/transport/requestedPauses.ts';
import { retryAfterMs } from '../../src/client/transport/statuses.ts';
import { small, start } from '../emulator/helpers.ts';
import { loopback, type Reply } from './loopback.ts';
import { clientOf, failureOf, hasty, managerOf } from './setup.ts';

const migration = { from: 'checkout', to: 'pricing', ips: ['192.0.2.10'] };
const moved = { body: { from: 'checkout', to: 'pricing', count: 1 } };
const listed = { body: { ips: [] } };

const passing: [string, Reply][] = [
  ['a broken connection', { fault: 'drop' }],
  ['a body that breaks off', { ...listed, fault: 'truncate' }],
  ['malformed JSON', { body: '{"ips":' }],
  ['500', { status: 500 }],
  ['503', { status: 503 }],
  ['429', { status: 429 }],
  ['425', { status: 425 }],
  ['408', { status: 408 }],
];

/** Answers that prove that a write was not carried out. */
const withoutEffect = ['429'];

describe('a read', () => {
  test.each(passing)('is sent again after %s', async (_what, fault) => {
    const server = await loopback(fault, fault, listed);
    expect(await clientOf(server.url).zones.ips('checkout')).toEqual([]);
    expect(server.requests).toHaveLength(3);
  });

  test('is sent again after a time-out', async () => {
    const server = await loopback({ fault: 'silence' }, listed);
    expect(await clientOf(server.url, { timeoutMs: 50 }).zones.ips('checkout')).toEqual([]);
  });

  test('is given up after the retries, with the last error', async () => {
    const server = await loopback({ status: 500 }, { status: 500 }, { status: 500 }, { status: 503, body: 'last' });
    expect(await failureOf(clientOf(server.url).zones.ips('checkout'))).toMatchObject({ code: 'server-error' });
    expect(server.requests).toHaveLength(4);
  });

  test.each([400, 401, 403, 404, 501])('is not sent again after %i', async (status) => {
    const server = await loopback({ status });
    await failureOf(clientOf(server.url).zones.ips('checkout'));
    expect(server.requests).toHaveLength(1);
  });

  test('that is sent as a PUT is retried too', async () => {
    const server = await loopback({ fault: 'drop' }, { status: 400 });
    const manager = managerOf(server.url, { profile: { manager: { readSettings: 'put' } } });
    expect(await failureOf(manager.readSettings())).toMatchObject({ code: 'refused', effect: 'none' });
    expect(server.requests.map(({ method, body }) => [method, body])).toEqual([
      ['PUT', {}],
      ['PUT', {}],
    ]);
  });
});

describe('a check before each write', () => {
  test('stops a write, also between two attempts, and no read', async () => {
    const server = await loopback({ status: 429 }, listed);
    let checks = 0;
    const beforeWrite = async () => {
      checks += 1;
      if (checks === 2) throw new Error('the lock is lost');
    };
    const { zones } = clientOf(server.url, { beforeWrite });
    await expect(zones.migrate(migration)).rejects.toThrow('the lock is lost');
    expect(await zones.ips('checkout')).toEqual([]);
    expect([checks, server.requests.length]).toEqual([2, 2]);
  });
});

describe('a write', () => {
  test.each(
    passing.filter(([what]) => !withoutEffect.includes(what)),
  )('is never sent again after %s', async (_what, fault) => {
    const server = await loopback(fault, moved);
    expect(await failureOf(clientOf(server.url).zones.migrate(migration))).toMatchObject({ effect: 'unknown' });
    expect(server.requests).toHaveLength(1);
  });

  test('is sent again after 429, which provably did nothing', async () => {
    const server = await loopback({ status: 429 }, moved);
    expect(await clientOf(server.url).zones.migrate(migration)).toMatchObject({ count: 1 });
  });

  test('is sent again after a refused connection', async () => {
    const port = await portThatOpensLater(60);
    const client = clientOf(`http://127.0.0.1:${port}`, { retry: { retries: 8, minDelayMs: 20 } });
    expect(await client.zones.migrate(migration)).toMatchObject({ count: 1 });
  });
});

describe('a trigger that is answered 5xx, 408 or 425', () => {
  const inputs = [{ url: 'https://shop.example.com/1' }];
  const triggers = {
    collector: ({ collectors }: Client) => collectors.trigger({ collector: 'c_prices', inputs }),
    dataset: ({ datasets }: Client) => datasets.trigger({ datasetId: 'gd_people', inputs }),
  };
  test.each([
    ['collector', 500, 2],
    ['collector', 503, 2],
    ['collector', 501, 2],
    ['collector', 505, 2],
    ['collector', 408, 1],
    ['dataset', 500, 1],
    ['dataset', 503, 1],
    ['dataset', 501, 1],
    ['dataset', 505, 1],
    ['dataset', 408, 1],
    ['collector', 425, 1],
    ['dataset', 425, 1],
  ] as const)('of a %s, %i: is sent as often as the specification asks', async (target, status, times) => {
    const body = { collection_id: 'j_1', snapshot_id: 's_1', start_eta: '2026-01-01T00:00:00Z' };
    const server = await loopback({ status }, { body });
    const sending = triggers[target](clientOf(server.url));
    if (times === 1) expect(await failureOf(sending)).toMatchObject({ effect: 'unknown' });
    else expect(await sending).toMatchObject({ collectionId: 'j_1' });
    expect(server.requests).toHaveLength(times);
  });
});

describe('Retry-After', () => {
  test('is waited for', async () => {
    const server = await loopback({ status: 429, headers: { 'retry-after': '1' } }, listed);
    const started = performance.now();
    await clientOf(server.url, { retry: hasty }).zones.ips('checkout');
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
  });

  const inputs = [{ url: 'https://shop.example.com/1' }];
  test.each([
    ['zone/ips', ({ zones }: Client) => zones.ips('checkout')],
    ['dca/trigger', ({ collectors }: Client) => collectors.trigger({ collector: 'c_prices', inputs })],
    ['datasets/trigger', ({ datasets }: Client) => datasets.trigger({ datasetId: 'gd_people', inputs })],
  ] as const)('%s is sent again once the service allows it, and not before', async (route, call) => {
    const emulator = await start({ ...small, collectors: { c_prices: {} }, datasets: { gd_people: {} } });
    const fault = { kind: 'status', status: 429, retryAfter: 1 } as const;
    emulator.addFault({ route, occurrence: 1, fault });
    await call(clientOf(emulator.apiUrl, { apiKey: emulator.keys.admin }));
    const [first = '', second = '', ...more] = emulator.requests().map(({ time }) => time);
    expect(Date.parse(second) - Date.parse(first)).toBeGreaterThanOrEqual(990);
    expect(more).toEqual([]);
    expect(emulator.runs().length).toBe(route === 'zone/ips' ? 0 : 1);
  });

  test('holds back the other calls of the client', async () => {
    const server = await loopback({ status: 429, headers: { 'retry-after': '1' } }, listed);
    const client = clientOf(server.url, { retry: { retries: 0 } });
    await failureOf(client.zones.ips('checkout'));
    const started = performance.now();
    await client.zones.ips('pricing');
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
  });

  test('is reported once, before calls wait for it', async () => {
    const limited = { status: 429, headers: { 'retry-after': '1' } };
    const server = await loopback(limited, limited, listed);
    const pauses: Pause[] = [];
    const client = clientOf(server.url, { retry: hasty, onPause: (pause) => void pauses.push(pause) });
    await Promise.all([client.zones.ips('checkout'), client.zones.ips('pricing')]);
    expect(pauses).toEqual([{ server: server.url, ms: expect.any(Number) }]);
    // The pause is counted from the answer on, however late the call notices it.
    expect(pauses[0]?.ms).toBeGreaterThan(0);
    expect(pauses[0]?.ms).toBeLessThanOrEqual(1000);
  });

  test.each([
    ['429', 429],
    ['503', 503],
  ])('that is longer than allowed ends the call with an error that names it: %s', async (_what, status) => {
    const server = await loopback({ status, headers: { 'retry-after': '3600' } }, listed);
    const pauses: Pause[] = [];
    const client = clientOf(server.url, { onPause: (pause) => void pauses.push(pause) });
    const asked = { effect: 'none', transient: true, fix: expect.stringContaining('asks to wait 3600 s') };
    const read = client.zones.ips('checkout');
    await expect(read).rejects.toMatchObject({ ...asked, status, retryAfterMs: 3_600_000 });
    await expect(client.zones.migrate(migration)).rejects.toMatchObject({ ...asked, code: 'rate-limited' });
    expect([server.requests.length, pauses]).toEqual([1, []]);
  });

  const now = Date.parse('2026-01-01T00:00:00Z');
  test.each([
    ['3', 3000],
    [' 0 ', 0],
    ['9999', 60_000],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5000],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
    ['soon', undefined],
    [undefined, undefined],
  ])('%s asks for %s ms', (header, expected) => {
    expect(retryAfterMs(header, 60_000, now)).toBe(expected);
  });
});

async function portThatOpensLater(delayMs: number): Promise<number> {
  const server = createServer((_request, response) => void response.end(JSON.stringify(moved.body)));
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await new Promise((resolve) => server.close(resolve));
  setTimeout(() => void listen(port), delayMs);
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  return port;
}
