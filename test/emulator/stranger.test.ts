/** The stranger account: it starts, and differs from the plain one where its comments say so. */
import { expect, test } from 'vitest';
import { readAccount } from '../../src/emulator/index.ts';
import { exampleFile, get, migrate, send, start } from './helpers.ts';

const stranger = await readAccount(exampleFile('stranger'));
const plain = await readAccount(exampleFile('plain'));

test('has the zones of the plain account, and two more', () => {
  const { results: _, empty: __, ...same } = stranger.zones;
  expect(same).toEqual(plain.zones);
});

test('lists IPs as a bare list with nulls, and a zone without IPs as 204', async () => {
  const emulator = await start(stranger);
  const { body } = await get(emulator, '/zone/ips?zone=old-pricing&ip_per_country=true');
  const [first, second] = body as unknown[];
  expect(first).toEqual({ ip: '198.51.100.20', atlas: null, ext: { borealis: 'US', daylight: 'US' } });
  expect(second).toEqual({ ip: '198.51.100.21', atlas: 'US', ext: { borealis: 'US', compass: 'US', daylight: 'US' } });
  expect((await get(emulator, '/zone/ips?zone=empty')).status).toBe(204);
  expect((await migrate(emulator, 'old-pricing', 'empty', ['198.51.100.20'])).status).toBe(204);
});

test('redirects reads, and refuses every sixth for a moment', async () => {
  const emulator = await start(stranger);
  const response = await fetch(`${emulator.apiUrl}/zone/ips?zone=empty`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([308, '/v2/zone/ips?zone=empty']);
  const statuses: number[] = [];
  for (const _ of Array(6)) statuses.push((await send('GET', `${emulator.managerUrl}/api/settings`)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 425]);
});
