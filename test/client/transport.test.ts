/** Concurrency, aborts, connections, base paths, and the log of requests. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { failing } from '../../src/client/errors.ts';
import { adaptiveConcurrency } from '../../src/client/transport/adaptiveConcurrency.ts';
import type { RequestEvent } from '../../src/client/transport/requestLog.ts';
import { type Loopback, loopback, type Reply } from './loopback.ts';
import { apiKey, clientOf, failureOf, hasty } from './setup.ts';

const listed = { body: { ips: [] } };
const migration = { from: 'checkout', to: 'pricing', ips: ['192.0.2.10'] };

describe('concurrency', () => {
  test('adapts to a limit that the service does not report', async () => {
    const { server, most } = await serverWithLimit(4);
    const client = clientOf(server.url, { retry: { retries: 30, minDelayMs: 2, maxDelayMs: 20 } });
    const zones = Array.from({ length: 100 }, (_, index) => client.zones.ips(`zone-${index}`));
    expect(await Promise.all(zones)).toHaveLength(100);
    expect(server.requests.length).toBeLessThan(200);
    expect(most()).toBeLessThanOrEqual(8);
  });

  test('grows by one after a window of successes, and halves once for calls that were refused at the same time', async () => {
    const concurrency = adaptiveConcurrency({ initial: 4, max: 6, adaptive: true });
    const succeed = () => concurrency.run(async () => undefined);
    const refused = failing({ method: 'GET', url: 'http://x', read: true }, {})('rate-limited', 'was answered 429');
    const refuse = () => concurrency.run(() => sleep(1).then(() => Promise.reject(refused))).catch(() => undefined);

    for (let call = 0; call < 4; call += 1) await succeed();
    expect(concurrency.limit).toBe(5);
    for (let call = 0; call < 50; call += 1) await succeed();
    expect(concurrency.limit).toBe(6);
    await Promise.all(Array.from({ length: 6 }, refuse));
    expect(concurrency.limit).toBe(3);
    for (let call = 0; call < 5; call += 1) await refuse();
    expect(concurrency.limit).toBe(1);
  });
});

describe('an abort', () => {
  test('before anything was sent', async () => {
    const server = await loopback(listed);
    const client = clientOf(server.url, { signal: AbortSignal.abort() });
    expect(await failureOf(client.zones.migrate(migration))).toEqual({
      code: 'aborted',
      message: `POST ${server.url}/zone/ips/migrate was aborted while it waited to be sent`,
      fix: 'Run it again if necessary.',
      effect: 'none',
    });
    expect(server.requests).toEqual([]);
  });

  test('of a write that was sent leaves open whether it had an effect', async () => {
    const stop = new AbortController();
    const server = await loopback(() => {
      stop.abort();
      return { fault: 'silence' };
    });
    const failure = await failureOf(clientOf(server.url).zones.migrate(migration, { signal: stop.signal }));
    expect(failure).toMatchObject({ code: 'aborted', effect: 'unknown' });
  });

  test('at the same time as the answer does not hide that the write succeeded', async () => {
    const server = await loopback({ body: { from: 'checkout', to: 'pricing', count: 1 } });
    const stop = new AbortController();
    const client = clientOf(server.url, { signal: stop.signal, onRequest: () => stop.abort() });
    expect(await client.zones.migrate(migration)).toMatchObject({ count: 1 });
  });

  test('after a suspension does not lose an answer that had arrived: timers come first then', async () => {
    const stop = new AbortController();
    const server = createHttpServer((_request, response) => {
      response.end('{"from":"checkout","to":"pricing","count":1}', () => {
        setTimeout(() => stop.abort(), 0);
        const until = performance.now() + 50;
        while (performance.now() < until);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const client = clientOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await client.zones.migrate(migration, { signal: stop.signal })).toMatchObject({ count: 1 });
    await client.close();
  });

  test('while the answer is read', async () => {
    const server = await loopback({ ...listed, fault: 'stall' });
    const stop = new AbortController();
    const atHead = () => setImmediate(() => stop.abort());
    subscribe('undici:request:headers', atHead);
    onTestFinished(() => void unsubscribe('undici:request:headers', atHead));
    const call = clientOf(server.url, { signal: stop.signal }).zones.ips('checkout');
    expect(await failureOf(call)).toMatchObject({
      code: 'aborted',
      message: `GET ${server.url}/zone/ips?zone=checkout was aborted while its answer was read`,
    });
  });

  test('may be listened for by many calls at a time', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const client = clientOf((await loopback(listed)).url, { signal: new AbortController().signal });
    await Promise.all(Array.from({ length: 100 }, () => client.zones.ips('checkout')));
    expect(warnings).toEqual([]);
  });

  test('of one call leaves the others alone', async () => {
    const server = await loopback({ ...listed, delayMs: 50 });
    const client = clientOf(server.url, { signal: new AbortController().signal });
    const stop = new AbortController();
    const [aborted, other] = [client.zones.ips('a', { signal: stop.signal }), client.zones.ips('b')];
    stop.abort();
    expect(await failureOf(aborted)).toMatchObject({ code: 'aborted' });
    expect(await other).toEqual([]);
  });

  test('takes effect at once between two attempts', async () => {
    const server = await loopback({ status: 503 });
    const stop = new AbortController();
    const retry = { retries: 1, minDelayMs: 60_000, maxDelayMs: 60_000 };
    const call = clientOf(server.url, { retry, signal: stop.signal }).zones.ips('checkout');
    setTimeout(() => stop.abort(), 50);
    expect(await failureOf(call)).toMatchObject({ code: 'aborted', effect: 'none' });
  });

  test('takes effect at once while the call waits for its turn or for a connection', async () => {
    const tarpit = await serverThatNeverShakesHands();
    const stop = new AbortController();
    const client = clientOf(tarpit, { concurrency: { initial: 1 }, signal: stop.signal });
    const calls = [client.zones.migrate(migration), client.zones.migrate(migration)];
    setTimeout(() => stop.abort(), 50);
    for (const call of calls) expect(await failureOf(call)).toMatchObject({ code: 'aborted', effect: 'none' });
    await client.close();
  });
});

describe('connections', () => {
  test('are kept alive', async () => {
    const server = await loopback(listed);
    const client = clientOf(server.url);
    for (let call = 0; call < 20; call += 1) await client.zones.ips('checkout');
    // The pool takes a second connection when a call comes in the very tick in which the first one gets free.
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  test('are closed after the calls under way; later calls are refused', async () => {
    const server = await loopback({ ...listed, delayMs: 30 });
    const client = clientOf(server.url);
    const call = client.zones.ips('a');
    await sleep(10);
    await Promise.all([client.close(), client.close()]);
    expect(await call).toEqual([]);
    expect(await failureOf(client.zones.ips('b'))).toMatchObject({ code: 'aborted', effect: 'none' });
  });
});

test('a path in the URL is put in front of the path of every call', async () => {
  const server = await loopback(listed);
  const client = clientOf(`${server.url}/v2/`);
  await client.zones.ips('a b&c');
  expect(server.requests).toMatchObject([{ path: '/v2/zone/ips', query: { zone: 'a b&c' } }]);
  expect(client.origin).toBe(server.url);
});

describe('the log of requests', () => {
  test('has every attempt, without secrets', async () => {
    const server = await loopback(
      { status: 429, body: `bad ${apiKey}` },
      { body: { from: 'a', to: 'b', count: 1, password: 'pw' } },
    );
    const events: RequestEvent[] = [];
    await clientOf(server.url, { onRequest: (event) => events.push(event) }).zones.migrate(migration);
    const url = `${server.url}/zone/ips/migrate`;
    const date = expect.stringMatching(/GMT$/);
    const common = { method: 'POST', url, ms: expect.any(Number), date, requestBody: JSON.stringify(migration) };
    expect(events).toEqual([
      { ...common, attempt: 1, status: 429, error: `POST ${url} was answered 429: bad ***`, responseBody: 'bad ***' },
      {
        ...common,
        attempt: 2,
        status: 200,
        responseBody: '{"from":"a","to":"b","count":1,"password":"***"}',
        misfits: [
          { path: 'from', found: '"a"', expected: 'checkout', count: 1 },
          { path: 'to', found: '"b"', expected: 'pricing', count: 1 },
        ],
      },
    ]);
  });

  test('does not fail the call if writing the log fails', async () => {
    const server = await loopback(listed);
    const onRequest = () => {
      throw new Error('disk full');
    };
    expect(await clientOf(server.url, { onRequest, retry: hasty }).zones.ips('a')).toEqual([]);
  });
});

async function serverWithLimit(limit: number): Promise<{ server: Loopback; most: () => number }> {
  let now = 0;
  let most = 0;
  const server = await loopback(async (): Promise<Reply> => {
    now += 1;
    most = Math.max(most, now);
    const crowded = now > limit;
    await sleep(crowded ? 1 : 5);
    now -= 1;
    return crowded ? { status: 429 } : listed;
  });
  return { server, most: () => most };
}

/** Accepts TCP connections and is silent when TLS begins. */
async function serverThatNeverShakesHands(): Promise<string> {
  const server = createServer((socket) => {
    onTestFinished(() => void socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `https://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}
