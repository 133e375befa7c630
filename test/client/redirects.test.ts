/** Redirects, codings and queries: what goes out, and what is followed. */

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loopback, type Reply } from './loopback.ts';
import { clientOf, failureOf } from './setup.ts';
import { collected } from './streams.ts';

const listed = { body: { ips: [{ ip: '192.0.2.10', geo_db_1: 'us' }] } };
const migration = { from: 'checkout', to: 'pricing', ips: ['192.0.2.10'] };

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])('of a read by %i is followed within the host, with the key', async (status) => {
    const server = await loopback(
      ({ path, query }): Reply =>
        path.startsWith('/v2') ? listed : { status, headers: { location: `/v2${path}?${new URLSearchParams(query)}` } },
    );
    expect(await clientOf(server.url).zones.ips('check out')).toHaveLength(1);
    expect(server.requests.map(({ path, query }) => [path, query.zone])).toEqual([
      ['/zone/ips', 'check out'],
      ['/v2/zone/ips', 'check out'],
    ]);
    expect(server.requests[1]?.headers.authorization).toBe(server.requests[0]?.headers.authorization);
  });

  test('of a read to another host is not followed: the key stays here', async () => {
    const other = await loopback(listed);
    const server = await loopback({ status: 307, headers: { location: `${other.url}/zone/ips` } });
    const failure = await failureOf(clientOf(server.url).zones.ips('checkout'));
    expect(failure.message).toContain(`was answered 307 with a redirect to ${other.url}/zone/ips`);
    expect(other.requests).toEqual([]);
  });

  test('in a circle ends', async () => {
    const server = await loopback({ status: 302, headers: { location: '/zone/ips' } });
    const client = clientOf(server.url, { retry: { retries: 0 } });
    expect((await failureOf(client.zones.ips('checkout'))).fix).toContain('forms a loop');
    expect(server.requests).toHaveLength(6);
  });

  test.each([
    [301, 'none'],
    [303, 'unknown'],
    [307, 'none'],
  ])('of a write by %i is an error that shows the Location', async (status, effect) => {
    const server = await loopback({ status, headers: { location: '/v2/zone/ips/migrate' } });
    expect(await failureOf(clientOf(server.url).zones.migrate(migration))).toMatchObject({
      code: 'unexpected-answer',
      message: `POST ${server.url}/zone/ips/migrate was answered ${status} with a redirect to ${server.url}/v2/zone/ips/migrate`,
      effect,
    });
    expect(server.requests).toHaveLength(1);
  });
});

test.each([408, 425])('a read that is answered %i is sent again', async (status) => {
  const server = await loopback({ status }, listed);
  expect(await clientOf(server.url).zones.ips('checkout')).toHaveLength(1);
});

test('queries are percent-encoded, and no space becomes a plus', async () => {
  let target = '';
  const url = await rawServer((request, response) => {
    target = request.url ?? '';
    response.end('{"ips":[]}');
  });
  await clientOf(url).zones.ips('a b+c&d=é');
  expect(target).toBe('/zone/ips?zone=a%20b%2Bc%26d%3D%C3%A9');
});

describe('codings', () => {
  const text = JSON.stringify(listed.body);
  const codings: [string, Buffer][] = [
    ['gzip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['gzip', Buffer.from(text)],
    ['utf-8', Buffer.from(text)],
  ];

  test.each(codings)('%s is asked for and read, whole and as a stream', async (coding, body) => {
    const asked: unknown[] = [];
    const url = await rawServer((request, response) => {
      asked.push(request.headers['accept-encoding']);
      response.setHeader('content-encoding', coding);
      response.end(body);
    });
    const client = clientOf(url);
    expect(await client.zones.ips('checkout')).toHaveLength(1);
    const page = { zone: 'checkout', url: 'https://example.com/', format: 'raw' } as const;
    expect(await client.request(page)).toBe(text);
    expect(Buffer.concat(await collected((await client.requestStream(page)).bytes)).toString()).toBe(text);
    expect(new Set(asked)).toEqual(new Set(['gzip, br, deflate']));
  });

  test('that nobody asked for are an error that names them', async () => {
    const url = await rawServer((_request, response) => {
      response.setHeader('content-encoding', 'zstd');
      response.end('(zstd)');
    });
    const client = clientOf(url);
    expect((await failureOf(client.zones.ips('checkout'))).message).toContain('content-encoding zstd');
  });

  test.each([
    ['gzip', gzipSync(Buffer.alloc(1_000_000, 'a'))],
    ['br', brotliCompressSync(Buffer.alloc(1_000_000, 'a'))],
    ['deflate', deflateSync(Buffer.alloc(1_000_000, 'a'))],
  ])('of %s are read up to the limit only', async (coding, body) => {
    const url = await rawServer((_request, response) => {
      response.setHeader('content-encoding', coding);
      response.end(body);
    });
    const failure = await failureOf(clientOf(url, { maxBodyBytes: 100_000 }).zones.ips('checkout'));
    expect(failure.message).toContain('was answered with more than 100000 bytes');
  });
});

async function rawServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
