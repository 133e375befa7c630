/** Area F: how settings are read where that is not shown, what is kept of them, how ports are observed. */
import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { portsIn } from '../../src/client/areas/manager/ports.ts';
import type { Misfit } from '../../src/client/reading/misfits.ts';
import { loopback, type Reply } from './loopback.ts';
import { failureOf, managerOf } from './setup.ts';
import { specFile } from './specFile.ts';

const answer = specFile('managerSettings', { zonePassword: 'zone-password-1' }).answer.body as Record<string, unknown>;

describe('reading the settings', () => {
  test('is a GET where the manager answers it', async () => {
    const server = await loopback({ body: answer });
    const { settings, by } = await managerOf(server.url).readSettings();
    expect([by, settings.logs, server.requests[0]?.method]).toEqual(['get', 500, 'GET']);
  });

  test.each([404, 405, 501])('is a PUT of {} where GET is answered %i, and from then on', async (status) => {
    const server = await loopback(({ method }): Reply => (method === 'GET' ? { status } : { body: answer }));
    const manager = managerOf(server.url);
    expect((await manager.readSettings()).by).toBe('put');
    expect((await manager.readSettings()).by).toBe('put');
    expect(server.requests.map(({ method, body }) => [method, body])).toEqual([
      ['GET', undefined],
      ['PUT', {}],
      ['PUT', {}],
    ]);
  });

  test.each(['get', 'put'] as const)('is a %s where the profile says so', async (readSettings) => {
    const server = await loopback({ status: 405 });
    const manager = managerOf(server.url, { profile: { manager: { readSettings } } });
    expect(await failureOf(manager.readSettings())).toMatchObject({ code: 'refused', effect: 'none' });
    expect(server.requests.map(({ method }) => method.toLowerCase())).toEqual([readSettings]);
  });

  test('does not fall back when the manager refuses the caller', async () => {
    const server = await loopback({ status: 403, body: 'You are trying to access from 10.9.8.7' });
    expect(await failureOf(managerOf(server.url).readSettings())).toEqual({
      code: 'forbidden',
      message: `GET ${server.url}/api/settings was answered 403: You are trying to access from 10.9.8.7`,
      fix: "The manager accepts only the addresses on its allowlist: add this machine's address.",
      effect: 'none',
    });
    expect(server.requests).toHaveLength(1);
  });

  test.each<[string, Reply]>([
    ['400', { status: 400 }],
    ['an HTML page', { body: '<!doctype html><title>Manager</title>' }],
    ['a redirect to another host', { status: 302, headers: { location: 'http://login.example.com/' } }],
    ['an error object', { body: { error: 'use PUT' } }],
    ['an object without a setting', { body: { status: 'ok' } }],
  ])('is a PUT of {} where GET is answered with %s', async (_what, reply) => {
    const server = await loopback(({ method }): Reply => (method === 'GET' ? reply : { body: answer }));
    const manager = managerOf(server.url);
    expect((await manager.readSettings()).by).toBe('put');
    expect(manager.inferredProfile()).toEqual({ manager: { readSettings: 'put' } });
  });

  test('converts, leaves out what is missing, and keeps what cannot be read apart', async () => {
    const misfits: string[] = [];
    const settings = { logs: '1000', request_stats: 'true', whitelist_ips: null, zone: { name: 'x' }, read_only: null };
    const server = await loopback({ body: settings });
    const onMisfit = ({ path, found, expected }: Misfit) => misfits.push(`${path}: ${found}, not ${expected}`);
    expect((await managerOf(server.url, { onMisfit }).readSettings()).settings).toEqual({
      logs: 1000,
      requestStats: true,
      whitelistIps: [],
      readOnly: null,
      unreadable: { zone: { name: 'x' } },
    });
    expect(misfits).toEqual(['zone: {"name":"x"}, not a text']);
  });

  test('keeps unknown fields, needs none that it does not use, and drops what is secret', async () => {
    const { zone, www_whitelist_ips, whitelist_ips, fixed_whitelist_ips, logs, request_stats, password } = answer;
    const used = { zone, www_whitelist_ips, whitelist_ips, fixed_whitelist_ips, logs, request_stats };
    const server = await loopback({ body: { ...used, password, lpm_token: 't', new_flag: true } });
    expect((await managerOf(server.url).readSettings()).settings).toEqual({
      zone: 'checkout',
      wwwWhitelistIps: ['10.0.0.5'],
      whitelistIps: ['10.0.0.0/8'],
      fixedWhitelistIps: [],
      logs: 500,
      requestStats: true,
      new_flag: true,
    });
  });
});

test('an update sends only what the patch has, and is sent once', async () => {
  const server = await loopback({ status: 500 });
  const failure = await failureOf(managerOf(server.url).updateSettings({ whitelistIps: [], logs: undefined }));
  expect(failure).toMatchObject({ code: 'server-error', effect: 'unknown' });
  expect(server.requests.map(({ body }) => body)).toEqual([{ whitelist_ips: [] }]);
});

test.each([
  [{}, { authorization: 'Bearer manager-token' }],
  [{ name: 'X-Manager-Token', scheme: '' }, { 'x-manager-token': 'manager-token' }],
])('the token goes into the header of the profile: %j', async (tokenHeader, headers) => {
  const server = await loopback({ body: {} });
  await managerOf(server.url, { token: 'manager-token', profile: { manager: { tokenHeader } } }).recentStats();
  expect(server.requests[0]?.headers).toMatchObject(headers);
});

describe('ports', () => {
  test.each<[string, Reply, number[] | null]>([
    ['keyed by port', { body: { ports: { 24001: {}, 24000: {} } } }, [24000, 24001]],
    ['none', { body: { ports: {} } }, []],
    ['another key', { body: { total: 1 } }, null],
    ['another shape', { body: [1] }, null],
    ['no such call', { status: 404 }, null],
    ['refused', { status: 403 }, null],
    ['an HTML page', { body: '<html></html>' }, null],
    ['nothing', { status: 204 }, null],
    ['counts by status', { body: { codes: { 200: 5, 404: 1 } } }, null],
    ['under another name', { body: { proxies: [{ port: '24001' }], total: 1 } }, null],
  ])('in recent stats: %s', async (_what, reply, expected) => {
    const server = await loopback(reply);
    expect(await managerOf(server.url).ports()).toEqual(expected);
    expect(server.requests[0]?.path).toBe('/api/recent_stats');
  });

  test('an error of recent stats is not taken for ports that cannot be observed', async () => {
    const server = await loopback({ status: 500 });
    expect(await failureOf(managerOf(server.url).ports())).toMatchObject({ code: 'server-error' });
  });

  test('by a route of the profile', async () => {
    const server = await loopback({ body: [{ port: 24000 }] }, { body: { proxies: [] } });
    const manager = managerOf(server.url, { profile: { manager: { ports: { route: '/api/proxies?all=1' } } } });
    expect(await manager.ports()).toEqual([24000]);
    expect(server.requests).toMatchObject([{ method: 'GET', path: '/api/proxies', query: { all: '1' } }]);
    expect(await failureOf(manager.ports())).toEqual({
      code: 'unexpected-answer',
      message: `GET ${server.url}/api/proxies?all=1 was answered 200 with an unexpected shape: the answer: expected ports: numbers, objects with a port, or an object keyed by port, received {"proxies":[]}`,
      fix: 'Check manager.ports.route in the service profile, or find the ports in the recent stats: service: { profile: { manager: { ports: { recentStatsKey: ports } } } }',
      effect: 'none',
    });
  });

  test.each<[unknown, number[] | null]>([
    [
      [24001, '24000', { port: 24001 }],
      [24000, 24001],
    ],
    [{ '24000': 1 }, [24000]],
    [[0], null],
    [[70_000], null],
    [{ total: 1 }, null],
    ['24000', null],
    [null, null],
  ])('in %j are %j', (value, expected) => {
    expect(portsIn(value)).toEqual(expected);
  });
});

describe("the caller's address", () => {
  test('is what the manager sees', async () => {
    let seen: string | undefined;
    const server = createServer().on('connection', (socket) => {
      seen = socket.remoteAddress;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect(await managerOf(`http://127.0.0.1:${port}`).callerAddress()).toBe('127.0.0.1');
    expect(seen).toBe('127.0.0.1');
  });

  test('is not known where nobody listens', async () => {
    expect(await failureOf(managerOf('http://127.0.0.1:1').callerAddress())).toEqual({
      code: 'unreachable',
      message: 'CONNECT http://127.0.0.1:1 could not connect (ECONNREFUSED)',
      fix: 'Check that the manager is running, that its URL is correct, and that this machine can reach it.',
      effect: 'none',
    });
  });
});
