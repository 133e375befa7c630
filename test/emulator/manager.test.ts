import { expect, test } from 'vitest';
import { putSettings, send, small, start } from './helpers.ts';

test('a PUT merges the five documented fields, ignores others and answers the whole settings', async () => {
  const emulator = await start();
  const before = emulator.settings();
  const received = await putSettings(emulator, {
    logs: 7,
    zone: 'parked',
    customer: 'hl_other',
    har_limit: 1,
    unheard: true,
  });
  expect(received.status).toBe(200);
  expect(received.body).toEqual({ ...before, logs: 7, zone: 'parked' });
  expect((await send('GET', `${emulator.managerUrl}/api/settings`)).body).toEqual(received.body);
  expect(emulator.requests().map(({ effect }) => effect)).toEqual([{ settings: { zone: 'parked', logs: 7 } }, null]);
});

test('an empty PUT changes nothing and reads the settings; an empty list empties one', async () => {
  const emulator = await start({ ...small, manager: { settings: { whitelist_ips: ['10.0.0.0/8'] } } });
  expect((await putSettings(emulator, {})).body).toEqual(emulator.settings());
  expect((await putSettings(emulator, { whitelist_ips: [] })).body).toMatchObject({ whitelist_ips: [] });
});

test.each([
  [{ logs: '7' }, 'Bad request: logs: an integer is required'],
  [{ zone: null }, 'Bad request: zone: a text is required'],
  [{ whitelist_ips: '10.0.0.0/8' }, 'Bad request: whitelist_ips: a list is required'],
  [{ www_whitelist_ips: [1] }, 'Bad request: www_whitelist_ips.0: an IP as text'],
  [{ request_stats: 'yes' }, 'Bad request: request_stats: true or false is required'],
  [[], 'Bad request: body: an object is required'],
])('a PUT of %j is refused whole', async (json, text) => {
  const emulator = await start();
  const before = emulator.settings();
  expect(await putSettings(emulator, json)).toMatchObject({ status: 400, text });
  expect(emulator.settings()).toEqual(before);
});

test('allowlist entries that the account names are dropped in silence', async () => {
  const emulator = await start({ ...small, manager: { silentlyDrops: ['10.66.0.0/16'] } });
  const received = await putSettings(emulator, {
    whitelist_ips: ['10.0.0.0/8', '10.66.0.0/16'],
    www_whitelist_ips: ['10.66.0.0/16'],
  });
  expect(received.body).toMatchObject({ whitelist_ips: ['10.0.0.0/8'], www_whitelist_ips: [] });
});

test('ports are deleted, those that do not run are ignored, and recent stats show the rest', async () => {
  const emulator = await start();
  const remove = (json: unknown) => send('POST', `${emulator.managerUrl}/api/proxies/delete`, { json });
  expect((await remove({ ports: [24001, 24001, 25000] })).status).toBe(200);
  expect(emulator.ports()).toEqual([24000, 24002]);
  expect(emulator.requests().at(-1)?.effect).toEqual({ deletedPorts: [24001] });
  const stats = (await send('GET', `${emulator.managerUrl}/api/recent_stats`)).body as { ports: object };
  expect(Object.keys(stats.ports)).toEqual(['24000', '24002']);
  expect((await remove({})).text).toBe('Bad request: ports: a list of port numbers is required');
  expect((await remove({ ports: ['24000'] })).text).toBe('Bad request: ports.0: an integer is required');
});

test('the manager requires no key, only its own token if it has one', async () => {
  const emulator = await start({ ...small, manager: { token: 'manager-token' } });
  const url = `${emulator.managerUrl}/api/settings`;
  expect((await send('GET', url)).status).toBe(401);
  expect((await send('GET', url, { key: emulator.keys.admin })).status).toBe(401);
  expect((await send('GET', url, { key: 'manager-token' })).status).toBe(200);
});
