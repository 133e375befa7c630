/** What is not taken: answered with one plain line, and nothing of it is kept. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { deliverySourceIps } from '../../src/client/areas/jobs/delivery.ts';
import { filesIn, open, post, record, sending } from './helpers.ts';

const rows = '[{"a":1}]';
const gzip = { 'content-encoding': 'gzip' };
const [ours = ''] = deliverySourceIps;

describe('authorization', () => {
  it.each([
    ['none', {}],
    ['another', { authorization: 'Bearer wrong' }],
    ['the start of the right one', { authorization: 'Bearer canar' }],
    ['the right one in another case', { authorization: 'bearer canary' }],
  ])('%s is refused, and not told what is right', async (_what, headers) => {
    await using opened = await open({ authorizations: ['Bearer canary'] });
    const { status, text } = await post(opened.url, rows, { headers, path: '/a?key=canary' });
    expect({ status, text }).toEqual({ status: 401, text: 'The Authorization header is missing or wrong.\n' });
    expect(await filesIn(opened.folder)).toEqual([]);
    expect(opened.log()).toMatchObject([{ msg: 'refused', status: 401, reason: 'wrong-authorization' }]);
    expect(opened.rawLog()).not.toMatch(/canar|wrong"/i);
  });

  it('is accepted in each of its values while it is rotated', async () => {
    await using opened = await open({ authorizations: ['Bearer old-canary', 'Bearer new-canary'] });
    const statusFor = async (authorization: string) =>
      (await post(opened.url, rows, { headers: { authorization } })).status;
    expect(await statusFor('Bearer old-canary')).toBe(200);
    expect(await statusFor('Bearer new-canary')).toBe(200);
    expect(await statusFor('Bearer older-canary')).toBe(401);
    expect(opened.rawLog()).not.toContain('canary');
  });

  it('is not in the log or the record, where somebody put it in the path without its scheme', async () => {
    await using opened = await open({ authorizations: ['Bearer canary'] });
    await post(opened.url, rows, { headers: { authorization: 'Bearer canary' }, path: '/canary/j_1' });
    await post(opened.url, rows, { path: '/canary/j_1' });
    expect(opened.log()).toMatchObject([{ path: '/***/j_1' }, { msg: 'refused', path: '/***/j_1' }]);
    expect(opened.rawLog()).not.toContain('canary');
    expect(await record(opened.folder)).toMatchObject([{ path: '/***/j_1' }]);
  });
});

describe('addresses', () => {
  const statusOf = async (options: Parameters<typeof open>[0], forwarded?: string) => {
    await using opened = await open({ onlyServiceAddresses: true, ...options });
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    return (await post(opened.url, rows, { headers })).status;
  };

  it('that are not of the service are refused', async () => {
    expect(await statusOf({})).toBe(403);
  });

  it('that a sender claims are not believed', async () => {
    expect(await statusOf({}, ours)).toBe(403);
  });

  it.each([
    [ours, 200],
    [`::ffff:${ours}`, 200],
    [`192.0.2.1, ${ours}`, 200],
    [`${ours}, 192.0.2.1`, 403],
    [undefined, 403],
    [`${ours}:51234`, 200],
    [`[::ffff:${ours}]:443`, 200],
    [`${ours}, unknown`, 403],
  ])('are the last that the own proxy saw: %s is answered %i', async (forwarded, status) => {
    expect(await statusOf({ trustedProxies: 1 }, forwarded)).toBe(status);
  });
});

describe('several proxies', () => {
  it.each([
    [`${ours}, 10.0.0.1`, 200],
    [`192.0.2.1, ${ours}:1, 10.0.0.1:2`, 200],
    [ours, 403],
    [`${ours}, 192.0.2.1, 10.0.0.1`, 403],
  ])('name the client in the entry of the first one: %s is answered %i', async (forwarded, status) => {
    await using opened = await open({ onlyServiceAddresses: true, trustedProxies: 2 });
    expect((await post(opened.url, rows, { headers: { 'x-forwarded-for': forwarded } })).status).toBe(status);
  });
});

it('a proxy that writes Forwarded is not believed: it passes on X-Forwarded-For as the client sent it', async () => {
  await using opened = await open({ onlyServiceAddresses: true, trustedProxies: 1 });
  const headers = { forwarded: 'for=192.0.2.1', 'x-forwarded-for': ours };
  expect((await post(opened.url, rows, { headers })).status).toBe(403);
});

describe('the log', () => {
  it.each([
    [{ 'x-forwarded-for': '192.0.2.1:4711' }, '192.0.2.1'],
    [{ 'x-forwarded-for': 'unknown' }, '127.0.0.1 (unclear: unknown)'],
    [{}, '127.0.0.1 (no X-Forwarded-For)'],
  ])('names the source behind a proxy: %j', async (headers, source) => {
    await using opened = await open({ onlyServiceAddresses: true, trustedProxies: 1 });
    await post(opened.url, rows, { headers });
    expect(opened.log()).toMatchObject([{ reason: 'wrong-address', source }]);
  });
});

describe('bodies', () => {
  const refused: [string, string | Buffer, Record<string, string>, number, RegExp][] = [
    ['more than the limit', 'x'.repeat(10_001), {}, 413, /larger than 10000 bytes/],
    ['more than the limit, in pieces', 'x'.repeat(10_001), { 'transfer-encoding': 'chunked' }, 413, /larger than/],
    ['a gzip bomb', gzipSync(Buffer.alloc(5_000_000, '[')), gzip, 413, /larger than/],
  ];

  it.each(refused)('%s is refused', async (_what, body, headers, status, line) => {
    await using opened = await open({ limits: { maxBytes: 10_000 } });
    const answer = await post(opened.url, body, { headers });
    expect(answer).toMatchObject({ status, text: expect.stringMatching(line) });
    expect(answer.text).toMatch(/^[^\n]+\n$/);
    expect(await filesIn(opened.folder)).toEqual([]);
    expect(opened.log()).toMatchObject([{ level: 'warn', msg: 'refused', status }]);
  });

  it.each([
    ['nothing', '', {}],
    ['gzip of nothing', gzipSync(''), gzip],
  ])('%s is a test of the webhook: answered 200 and not kept, with the right authorization only', async (_what, body, headers) => {
    await using opened = await open({ authorizations: ['Bearer canary'] });
    const right = { ...headers, authorization: 'Bearer canary' };
    expect((await post(opened.url, body, { headers: right, path: '/acme/results' })).status).toBe(200);
    expect((await post(opened.url, body, { headers })).status).toBe(401);
    expect(await filesIn(opened.folder)).toEqual([]);
    expect(opened.log()).toMatchObject([{ level: 'info', msg: 'tested' }, { msg: 'refused' }]);
  });

  it('of a large size are refused by their header alone', async () => {
    await using opened = await open({ limits: { maxBytes: 10_000 } });
    const { outgoing, answer } = sending(opened.url, { headers: { 'content-length': 10_001 } });
    outgoing.flushHeaders();
    expect(await answer).toMatchObject({ status: 413, headers: { connection: 'close' } });
  });

  it('that break off leave nothing, and the next delivery is taken', async () => {
    await using opened = await open();
    const { outgoing } = sending(opened.url, { headers: { 'content-length': 100 } });
    outgoing.write('[{"a":');
    await expect.poll(() => filesIn(opened.folder)).toHaveLength(1);
    outgoing.destroy();
    await expect.poll(() => opened.log()).toMatchObject([{ msg: 'refused', reason: 'broke-off' }]);
    expect(await filesIn(opened.folder)).toEqual([]);
    expect((await post(opened.url, rows)).status).toBe(200);
  });

  it('that stall are given up', async () => {
    await using opened = await open({ limits: { idleMs: 100 } });
    const { outgoing, answer } = sending(opened.url);
    outgoing.write('[1');
    expect(await answer).toMatchObject({ status: 408, text: 'No data arrived for 0.1 s.\n' });
    expect(await filesIn(opened.folder)).toEqual([]);
  });

  it('that never end are given up, however steadily they come', async () => {
    await using opened = await open({ limits: { totalMs: 300 } });
    const { outgoing, answer } = sending(opened.url);
    const drip = setInterval(() => outgoing.write('[1'), 20);
    expect(await answer).toMatchObject({ status: 408, text: 'The delivery was not complete after 0.3 s.\n' });
    clearInterval(drip);
    expect(await filesIn(opened.folder)).toEqual([]);
  });
});

describe('requests', () => {
  it('that are no deliveries are told so', async () => {
    await using opened = await open();
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect(await post(opened.url, '', { method, path: '/acme' })).toMatchObject({
        status: 405,
        text: 'Deliveries must use POST.\n',
      });
    }
  });

  it('with too many parts in their path are refused', async () => {
    await using opened = await open();
    expect(await post(opened.url, rows, { path: '/a'.repeat(9) })).toMatchObject({ status: 400 });
    expect(await filesIn(opened.folder)).toEqual([]);
  });

  it('beyond those that are taken at a time are sent away for a while', async () => {
    await using opened = await open({ limits: { deliveries: 1 } });
    const first = sending(opened.url);
    first.outgoing.write('[1');
    await expect.poll(() => filesIn(opened.folder)).toHaveLength(1);
    expect(await post(opened.url, rows)).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    first.outgoing.end(']');
    expect((await first.answer).status).toBe(200);
    expect((await post(opened.url, rows)).status).toBe(200);
  });
});

describe('a disk that fails', () => {
  it('is answered 500 when the file is to get its name, and nothing stays behind', async () => {
    await using opened = await open();
    await writeFile(join(opened.folder, 'acme'), 'a file where a folder should be');
    expect((await post(opened.url, rows, { path: '/acme/results' })).status).toBe(500);
    expect(await filesIn(opened.folder)).toEqual(['acme']);
    expect((await post(opened.url, rows, { path: '/other' })).status).toBe(200);
  });
});
