/** The networks and products that a zone may be of: each is reached through the API and through the native proxy. */
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { zoneTypes } from '../../src/client/areas/zones/zoneTypes.ts';
import { send, start } from './helpers.ts';

const url = 'http://example.com/';

test.each([
  'datacenter',
  'isp',
  'residential',
  'mobile',
  'unlocker',
  'search',
  'browser',
] as const)('a zone of type %s serves a page through both', async (type) => {
  expect(zoneTypes).toContain(type);
  const emulator = await start(
    { id: 'hl_example', zones: { mine: { type, password: 'zone-password' } }, pages: { [url]: { body: 'A page' } } },
    { proxyPort: 0 },
  );
  const json = { zone: 'mine', url, format: 'raw' };
  const { status, text } = await send('POST', `${emulator.apiUrl}/request`, { key: emulator.keys.user, json });
  expect([status, text]).toEqual([200, 'A page']);
  expect(await throughProxy(emulator.proxyUrl ?? '', 'svc-customer-hl_example-zone-mine:zone-password')).toBe('A page');
});

async function throughProxy(proxy: string, credentials: string): Promise<string> {
  const { hostname, port } = new URL(proxy);
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  return new Promise((resolve, reject) => {
    const headers = { 'proxy-authorization': authorization };
    const asked = request({ hostname, port, path: url, headers, agent: false }, async (response) =>
      resolve(Buffer.concat(await response.toArray()).toString()),
    );
    asked.on('error', reject).end();
  });
}
