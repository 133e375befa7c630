import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Problem } from '../../src/base/diagnostics/problem.ts';
import { type Emulator, writeReadyFile } from '../../src/emulator/index.ts';
import { formatProblems } from '../../src/report/text/problems.ts';
import { temporaryFile } from '../temporary.ts';
import { get, listed, migrate, putSettings, send, small, start } from './helpers.ts';

const admin = (emulator: Emulator, method: string, path: string, json?: unknown) =>
  send(method, `${emulator.apiUrl}/_emulator/${path}`, { json });

test('admin requests move, add and remove IPs', async () => {
  const emulator = await start({ ...small, dialect: { listingLag: { listings: 3 } } });
  await admin(emulator, 'POST', 'ips/move', { ips: ['192.0.2.10', '192.0.2.20'], to: 'parked' });
  expect(await listed(emulator, 'parked')).toEqual(['192.0.2.10', '192.0.2.20']);
  await admin(emulator, 'POST', 'ips/add', { zone: 'parked', ips: { fr: ['198.51.100.1-198.51.100.2'] } });
  await admin(emulator, 'POST', 'ips/remove', { ips: ['192.0.2.20'] });
  expect(await listed(emulator, 'parked')).toEqual(['192.0.2.10', '198.51.100.1', '198.51.100.2']);
  expect((await get(emulator, '/zone/ips?zone=parked&ip_per_country=true')).body).toEqual({ us: 1, fr: 2 });
});

test('admin requests change settings, ports and keys', async () => {
  const emulator = await start();
  expect((await admin(emulator, 'PATCH', 'manager/settings', { har_limit: 5, logs: 9 })).status).toBe(204);
  expect((await putSettings(emulator, {})).body).toMatchObject({ har_limit: 5, logs: 9, customer: 'hl_example' });
  await admin(emulator, 'PUT', 'manager/ports', [24005]);
  expect(emulator.ports()).toEqual([24005]);
  const { value } = (await admin(emulator, 'POST', 'keys/refresh', { role: 'ops' })).body as { value: string };
  expect((await migrate(emulator, 'pricing', 'parked', ['192.0.2.20'], value)).status).toBe(200);
  await admin(emulator, 'POST', 'keys/expire', { role: 'ops' });
  expect((await migrate(emulator, 'pricing', 'parked', ['192.0.2.21'], value)).status).toBe(401);
});

test('faults and the request log', async () => {
  const emulator = await start();
  const fault = { route: 'zone/ips', occurrence: 2, fault: { kind: 'drop-before' } };
  await admin(emulator, 'POST', 'faults', fault);
  expect((await admin(emulator, 'GET', 'faults')).body).toEqual([fault]);
  await listed(emulator, 'checkout');
  await expect(listed(emulator, 'checkout')).rejects.toThrow();
  await admin(emulator, 'DELETE', 'faults');
  expect(await listed(emulator, 'checkout')).toHaveLength(2);
  const log = (await admin(emulator, 'GET', 'requests')).body as { status: unknown }[];
  expect(log.map(({ status }) => status)).toEqual([200, 'dropped', 200]);
  await admin(emulator, 'DELETE', 'requests');
  expect((await admin(emulator, 'GET', 'requests')).body).toEqual([]);
});

test('answers to wrong admin requests say what is allowed', async () => {
  const emulator = await start();
  const told = async (method: string, path: string, json: unknown) => {
    const { status, body } = await admin(emulator, method, path, json);
    return [status, formatProblems((body as { problems: Problem[] }).problems)];
  };
  expect(await told('POST', 'ips/move', { ips: ['192.0.2.10'], to: 'prked' })).toEqual([
    400,
    'zone `prked` does not exist\n  allowed: checkout, pricing or parked\n  fix: did you mean `parked`?',
  ]);
  expect(await told('POST', 'ips/move', { ips: ['192.0.2.99'], to: 'parked' })).toEqual([
    400,
    'no zone holds 192.0.2.99\n  allowed: IPs of the account\n  fix: add them to a zone first',
  ]);
  expect(await told('POST', 'ips/add', { zone: 'parked', ips: { us: ['192.0.2.10'] } })).toEqual([
    400,
    'a zone already holds 192.0.2.10\n  allowed: IPs that no zone holds\n  fix: move them instead',
  ]);
  expect(await told('PATCH', 'manager/settings', { logs: '3', password: 12345678 })).toEqual([
    400,
    'password: `password` is a number\n  allowed: a string\n  fix: put it in quotes\n' +
      'logs: `logs` is a string "3"\n  allowed: an integer of at least 0\n  fix: remove the quotes: 3',
  ]);
  const { status, text } = await send('POST', `${emulator.apiUrl}/_emulator/ips/move`, { text: '{"ips":' });
  expect([status, JSON.parse(text)]).toEqual([
    400,
    { problems: [{ code: 'invalid-json', found: 'the body is not JSON', allowed: 'JSON, or no body' }] },
  ]);
});

test('the log shows the role, the request and its effect, without a secret', async () => {
  const clock = () => new Date('2026-03-01T12:00:00Z');
  const emulator = await start(small, { clock });
  await migrate(emulator, 'pricing', 'parked', ['192.0.2.20']);
  await get(emulator, `/zone/ips?zone=${emulator.keys.admin}&token=abc`, emulator.keys.limit);
  await putSettings(emulator, { logs: 5, password: 'new', zone: 'manager-password' });
  const [first, second, third] = emulator.requests();
  expect(first).toEqual({
    sequence: 1,
    server: 'api',
    time: '2026-03-01T12:00:00.000Z',
    method: 'POST',
    path: '/zone/ips/migrate',
    query: {},
    body: { from: 'pricing', to: 'parked', ips: ['192.0.2.20'] },
    route: 'zone/ips/migrate',
    role: 'ops',
    status: 200,
    effect: { moved: ['192.0.2.20'], from: 'pricing', to: 'parked' },
    faults: [],
  });
  expect(second).toMatchObject({ query: { zone: '[redacted]', token: '[redacted]' }, role: 'limit', status: 404 });
  expect(third).toMatchObject({
    sequence: 3,
    server: 'manager',
    body: { logs: 5, password: '[redacted]', zone: '[redacted]' },
    role: null,
    effect: { settings: { logs: 5, zone: '[redacted]' } },
  });
});

test.each([2, 100])('the log has no password of an account with %i zones', async (count) => {
  const zones = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`z${index}`, { password: `password-of-zone-${index}` }]),
  );
  const emulator = await start({ id: 'hl_1', zones });
  await get(emulator, '/zone/ips?zone=a-password-of-zone-1password-of-zone-0-b', emulator.keys.limit);
  expect(emulator.requests()[0]?.query).toEqual({ zone: 'a-[redacted][redacted]-b' });
});

test('the state is the account as it is now, without a secret', async () => {
  const emulator = await start();
  emulator.move(['192.0.2.11'], 'parked');
  const { body, text } = await admin(emulator, 'GET', 'state');
  expect(body).toEqual(emulator.state());
  expect(emulator.state().zones.parked?.ips).toEqual([{ ip: '192.0.2.11', countries: ['de', 'de', 'de', 'de'] }]);
  for (const secret of [...Object.values(emulator.keys), 'checkout-password', 'manager-password']) {
    expect(text).not.toContain(secret);
  }
});

test('close returns at once, despite idle connections and a delayed answer', async () => {
  const emulator = await start();
  emulator.addFault({ route: 'zone/ips', occurrence: 1, fault: { kind: 'delay', ms: 3_600_000 } });
  const delayed = get(emulator, '/zone/ips?zone=checkout').catch(() => 'cut');
  await send('GET', `${emulator.managerUrl}/api/settings`);
  await expect.poll(() => emulator.requests().length).toBe(2);
  await emulator.close();
  expect(await delayed).toBe('cut');
});

test('the ready file has the addresses and keys of the emulator, readable by its owner only', async () => {
  const file = temporaryFile('ready.json');
  expect(existsSync(file)).toBe(false);
  const emulator = await start();
  await writeReadyFile(emulator, file);
  const { apiUrl, managerUrl, keys } = emulator;
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ apiUrl, managerUrl, keys: { ...keys } });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});
