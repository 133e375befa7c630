/** The dialect of the manager, of proxied requests, and of HTTP itself. */
import { request as rawRequest } from 'node:http';
import { brotliDecompressSync, inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { AccountInput, Emulator } from '../../src/emulator/index.ts';
import { get, putSettings, type Received, send, small, start } from './helpers.ts';

type Dialect = NonNullable<AccountInput['dialect']>;

const account: AccountInput = {
  ...small,
  pages: {
    'https://example.com/': { body: '<h1>Example</h1>' },
    'https://example.com/gone': { status: 404, body: '{"reason":"gone"}', type: 'application/json' },
  },
};

const speaking = (dialect: Dialect) => start({ ...account, dialect });

describe('the manager', () => {
  test.each<[NonNullable<NonNullable<Dialect['errors']>['settings-unreadable']>, number, string]>([
    [{ status: 200, body: '<!doctype html>', headers: { 'content-type': 'text/html' } }, 200, 'text/html'],
    [{ status: 302, body: '', headers: { location: '/login' } }, 302, 'text/plain'],
    [{ status: 400 }, 400, 'text/plain'],
  ])('refuses GET of settings with %j', async (wording, status, type) => {
    const emulator = await speaking({ answersGetSettings: false, errors: { 'settings-unreadable': wording } });
    const response = await fetch(`${emulator.managerUrl}/api/settings`, { redirect: 'manual' });
    expect([response.status, response.headers.get('content-type')]).toEqual([status, expect.stringContaining(type)]);
    expect(response.headers.get('location')).toBe(wording.headers?.location ?? null);
    expect((await putSettings(emulator, {})).body).toMatchObject({ logs: 1000 });
  });

  test('has missing, null and odd fields', async () => {
    const emulator = await speaking({
      settingsFields: { har_limit: 'missing', zone: 'null', logs: 'text', request_stats: 'text' },
    });
    const { body } = await putSettings(emulator, { logs: 5 });
    expect(body).not.toHaveProperty('har_limit');
    expect(body).toMatchObject({ zone: null, logs: '5', request_stats: 'true' });
    expect(emulator.settings()).toMatchObject({ logs: 5, zone: '', har_limit: 1024 });
  });

  test.each<[NonNullable<Dialect['recentStats']>, number, unknown]>([
    ['totals', 200, expect.objectContaining({ success_ratio: 1 })],
    ['empty', 200, {}],
    ['html', 200, undefined],
    ['refused', 404, undefined],
  ])('answers recent stats as %s', async (recentStats, status, body) => {
    const { managerUrl } = await speaking({ recentStats });
    expect(await send('GET', `${managerUrl}/api/recent_stats`)).toMatchObject({ status, body });
  });
});

const proxied = ({ apiUrl, keys }: Emulator, more: object): Promise<Received> =>
  send('POST', `${apiUrl}/request`, {
    key: keys.user,
    json: { zone: 'checkout', url: 'https://example.com/gone', format: 'raw', ...more },
  });

describe('a proxied request', () => {
  test('has the status of its target, and a text where JSON was asked', async () => {
    const emulator = await speaking({ targetStatus: 'passed', jsonFormat: 'text' });
    expect(await proxied(emulator, {})).toMatchObject({ status: 404, text: '{"reason":"gone"}' });
    const page = await proxied(emulator, { format: 'json', url: 'https://example.com/' });
    expect(page).toMatchObject({ status: 200, text: '<h1>Example</h1>' });
  });
});

describe('any answer', () => {
  test.each([
    ['br', brotliDecompressSync],
    ['deflate', inflateSync],
  ] as const)('is encoded as %s for clients that accept it', async (compression, decode) => {
    const { apiUrl, keys } = await speaking({ compression });
    const ask = (accepted: string) =>
      new Promise<{ coding: string | undefined; body: Buffer }>((resolve, reject) => {
        const headers = { authorization: `Bearer ${keys.user}`, 'accept-encoding': accepted };
        rawRequest(`${apiUrl}/zone/ips?zone=parked`, { headers }, (response) => {
          const coding = response.headers['content-encoding'];
          response.toArray().then((chunks) => resolve({ coding, body: Buffer.concat(chunks) }), reject);
        })
          .on('error', reject)
          .end();
      });
    const { coding, body } = await ask('gzip, deflate, br');
    expect([coding, decode(body).toString()]).toEqual([compression, '{"ips":[]}']);
    expect(await ask('identity')).toEqual({ coding: undefined, body: Buffer.from('{"ips":[]}') });
  });

  test('begins with a byte order mark', async () => {
    const { apiUrl, managerUrl, keys } = await speaking({ byteOrderMark: true });
    const bytes = async (url: string) => {
      const response = await fetch(url, { headers: { authorization: `Bearer ${keys.user}` } });
      return Buffer.from(await response.arrayBuffer())
        .subarray(0, 4)
        .toString();
    };
    expect(await bytes(`${apiUrl}/zone/ips?zone=parked`)).toBe('\uFEFF{');
    expect(await bytes(`${managerUrl}/api/settings`)).toBe('\uFEFF{');
  });

  test('to a read comes from another path', async () => {
    const emulator = await speaking({ redirectedReads: true });
    const response = await fetch(`${emulator.apiUrl}/zone/ips?zone=parked`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([308, '/v2/zone/ips?zone=parked']);
    expect((await get(emulator, '/zone/ips?zone=parked')).body).toEqual({ ips: [] });
    expect(await proxied(emulator, {})).toMatchObject({ status: 200 });
  });

  test.each([
    ['literal', 404],
    ['space', 200],
  ] as const)('to a query with a plus sign takes it as a %s', async (plusInQueries, status) => {
    const zones = { 'a b': {} };
    const emulator = await start({ ...account, zones, dialect: { plusInQueries } });
    expect((await get(emulator, '/zone/ips?zone=a+b')).status).toBe(status);
  });

  test('to every Nth read is a refusal', async () => {
    const emulator = await speaking({ unsteadyReads: 3 });
    const statuses: number[] = [];
    for (const _ of [1, 2, 3, 4, 5, 6]) statuses.push((await get(emulator, '/zone/ips?zone=parked')).status);
    expect(statuses).toEqual([200, 200, 425, 200, 200, 425]);
  });
});
