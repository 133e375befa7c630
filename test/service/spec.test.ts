/** The client against the shapes of the specification (`test/spec`): exactly the documented request, exactly the documented values. */

import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Client } from '../../src/service/client.ts';
import type { Manager } from '../../src/service/manager.ts';
import { parseProfile } from '../../src/service/profile.ts';
import { loopback } from './loopback.ts';
import { apiKey, clientOf, managerOf } from './setup.ts';
import { specFile } from './specFile.ts';

interface Case {
  call: (peer: { client: Client; manager: Manager }) => Promise<unknown>;
  value: unknown;
}

const { perCountrySwitch } = parseProfile();
const places = {
  apiKey,
  zonePassword: 'zone-password-1',
  perCountrySwitch: perCountrySwitch.name,
  perCountryValue: perCountrySwitch.value,
};

const cases: Record<string, Case> = {
  zoneIps: {
    call: ({ client }) => client.zones.ips('checkout'),
    value: [
      {
        ip: '192.0.2.10',
        country: 'us',
        geolocation: { geo_db_1: 'us', geo_db_2: 'us', geo_db_3: 'us', geo_db_4: 'ca' },
      },
      {
        ip: '192.0.2.11',
        country: 'de',
        geolocation: { geo_db_1: 'de', geo_db_2: 'de', geo_db_3: 'de', geo_db_4: 'de' },
      },
    ],
  },
  zoneIpsPerCountry: {
    call: ({ client }) => client.zones.countries('checkout'),
    value: { us: 1, de: 1 },
  },
  zoneRecentIps: {
    call: ({ client }) => client.zones.recentIps('*'),
    value: { checkout: ['203.0.113.5', '203.0.113.6'], pricing: [] },
  },
  zoneIpsMigrate: {
    call: ({ client }) => client.zones.migrate({ from: 'checkout', to: 'pricing', ips: ['192.0.2.10'] }),
    value: { from: 'checkout', to: 'pricing', count: 1 },
  },
  getAsn: {
    call: ({ client }) => client.reseller.asns('checkout'),
    value: [
      { asn: '64500', title: 'Example Networks' },
      { asn: '64501', title: 'Sample Hosting' },
    ],
  },
  managerSettings: {
    call: ({ manager }) =>
      manager.updateSettings({
        zone: 'checkout',
        wwwWhitelistIps: ['10.0.0.5'],
        whitelistIps: ['10.0.0.0/8'],
        logs: 500,
        requestStats: true,
      }),
    value: {
      customer: 'hl_example',
      zone: 'checkout',
      wwwWhitelistIps: ['10.0.0.5'],
      whitelistIps: ['10.0.0.0/8'],
      fixedWhitelistIps: [],
      readOnly: false,
      config: '/home/manager/.manager.json',
      testUrl: 'https://example.com/ip',
      logs: 500,
      log: 'notice',
      harLimit: 1024,
      requestStats: true,
      dropin: false,
      pendingIps: [],
      pendingWwwIps: [],
      zagent: false,
      syncConfig: false,
    },
  },
  managerDeletePorts: {
    call: ({ manager }) => manager.deletePorts([24000, 24001]),
    value: undefined,
  },
  managerRecentStats: {
    call: ({ manager }) => manager.recentStats(),
    value: { anything: 1 },
  },
};

test.each(Object.entries(cases))('%s', async (name, { call, value }) => {
  const { request, answer } = specFile(name, places);
  const server = await loopback({ status: answer.status, body: answer.body ?? { anything: 1 } });
  const peer = { client: clientOf(server.url), manager: managerOf(server.url) };

  expect(await call(peer)).toEqual(value);
  expect(server.requests).toEqual([
    { ...request, body: request.body, headers: expect.objectContaining(request.headers) },
  ]);
});

test('every file of the areas D, E and F has its case', () => {
  const files = readdirSync(new URL('../spec', import.meta.url)).filter((file) => file.endsWith('.json'));
  const names = files
    .map((file) => file.replace(/\.json$/, ''))
    .filter((name) => /^[DEF]/.test(specFile(name).section));
  expect(Object.keys(cases).sort()).toEqual(names.sort());
});

test('the manager is never sent the API key, and no authorization at all without a token', async () => {
  const server = await loopback({ body: {} });
  await managerOf(server.url).recentStats();
  expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
});
