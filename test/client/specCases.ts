/** What the client is asked for each file of `test/spec`, and what comes of it: values under the names of the client. */

import type { CollectorTrigger } from '../../src/client/areas/jobs/collectorTrigger.ts';
import type { Manager } from '../../src/client/areas/manager/manager.ts';
import type { Client } from '../../src/client/client.ts';
import { parseProfile } from '../../src/client/profile.ts';
import { apiKey } from './setup.ts';
import { collected } from './streams.ts';

interface Case {
  call: (peer: { client: Client; manager: Manager }) => Promise<unknown>;
  /** What the call gives; left out where that is the very body of the file. */
  value?: unknown;
  /** The code of the error that the call ends in. */
  failure?: string;
  /** A request that the client never sends: only what it makes of the answer is held against the file. */
  answerOnly?: true;
}

const { perCountrySwitch, parsedSwitch } = parseProfile();

/** What stands in the `{name}` places of the files. */
export const places = {
  apiKey,
  zonePassword: 'zone-password-1',
  collectionId: 'j_abc123',
  snapshotId: 's_abc123',
  fid: '0x1%3A0x2',
  perCountrySwitch: perCountrySwitch.name,
  perCountryValue: perCountrySwitch.value,
  parsedSwitch: parsedSwitch.name,
  parsedValue: parsedSwitch.value,
};

export const profile = {
  searchEngineUrl: 'https://search.example.com',
  datasets: { snapshotRoute: 'download' as const },
};

const page = { zone: 'checkout', url: 'https://example.com/', format: 'raw' } as const;

const requests: Record<string, Case> = {
  request: { call: ({ client }) => client.request(page) },
  requestEveryField: {
    call: ({ client }) =>
      client.request({
        ...page,
        zone: 'shoppers',
        method: 'GET',
        country: 'us',
        city: 'sanfrancisco',
        zip: '94107',
        asn: '64500',
        dns: 'remote',
        session: 'cart-1',
        gip: 'group-1',
        tag: 'order-7',
        direct: false,
        dataFormat: 'markdown',
      }),
  },
  requestDatacenter: { call: ({ client }) => client.request({ ...page, ip: '192.0.2.10' }) },
  requestMobile: {
    call: ({ client }) =>
      client.request({
        ...page,
        zone: 'phones',
        country: 'us',
        city: 'boston',
        carrier: 'any-carrier',
        os: 'android',
        dns: 'local',
        gip: 'group-1',
        direct: true,
      }),
  },
  requestJson: { call: ({ client }) => client.request({ ...page, format: 'json' }), value: { anything: 1 } },
  requestBad: { call: ({ client }) => client.request(page), failure: 'refused', answerOnly: true },
  requestNoKey: { call: ({ client }) => client.request(page), failure: 'unauthorized' },
};

const inputs = [{ url: 'https://shop.example.com/1' }];
const run = { collectionId: 'j_abc123', startEta: '2026-03-01T12:00:00.000Z' };

const trigger =
  (asked: Partial<CollectorTrigger>): Case['call'] =>
  ({ client }) =>
    client.collectors.trigger({ collector: 'c_prices', inputs, ...asked });

const collectors: Record<string, Case> = {
  collectorTrigger: {
    call: trigger({
      inputs: [...inputs, { url: 'https://shop.example.com/2' }],
      queueNext: true,
      notify: { type: 'webhook', endpoint: 'https://hooks.example.com/done' },
      deliver: {
        type: 's3',
        bucket: 'results',
        region: 'eu-west-1',
        directory: 'prices',
        filename: { template: 'run-{[datetime]}', extension: 'json' },
        credentials: { accessKey: 'AKIAEXAMPLE01', secretKey: 's3-secret-value' },
        deliveryType: 'deliver_results',
      },
    }),
    value: run,
  },
  collectorTriggerEmail: { call: trigger({ notify: { type: 'email' } }), value: run },
  collectorTriggerNoKey: { call: trigger({}), failure: 'unauthorized' },
  collectorTriggerUnknown: { call: trigger({ collector: 'c_unknown' }), failure: 'not-found' },
  collectorTriggerMismatch: {
    call: trigger({ inputs: [{ link: 'https://shop.example.com/1' }] }),
    failure: 'refused',
  },
  collectorBuilding: { call: ({ client }) => client.collectors.dataset('j_abc123'), value: { state: 'building' } },
  collectorDataset: { call: async ({ client }) => rowsOf(await client.collectors.dataset('j_abc123')) },
  collectorNoRows: {
    call: ({ client }) => client.collectors.dataset('j_abc123'),
    value: { state: 'empty-or-expired' },
  },
};

const datasets: Record<string, Case> = {
  datasetTrigger: {
    call: ({ client }) =>
      client.datasets.trigger({
        datasetId: 'gd_companies',
        inputs: [{ url: 'https://companies.example.com/one' }],
        endpoint: 'https://hooks.example.com/snapshots',
        uncompressed: true,
        authorization: 'Bearer hook-secret-1',
      }),
    value: { snapshotId: 's_abc123' },
  },
  snapshotDownload: { call: async ({ client }) => rowsOf(await client.datasets.download('s_abc123')) },
  snapshotNotReady: { call: ({ client }) => client.datasets.download('s_abc123'), value: { state: 'not-ready' } },
  snapshotBuilding: { call: ({ client }) => client.datasets.download('s_abc123'), value: { state: 'not-ready' } },
  snapshotNotFound: { call: ({ client }) => client.datasets.download('s_nothing'), failure: 'not-found' },
};

const zones: Record<string, Case> = {
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
  zoneIpsPerCountry: { call: ({ client }) => client.zones.countries('checkout') },
  zoneRecentIps: { call: ({ client }) => client.zones.recentIps('*') },
  zoneIpsMigrate: {
    call: ({ client }) => client.zones.migrate({ from: 'checkout', to: 'pricing', ips: ['192.0.2.10'] }),
  },
  getAsn: { call: ({ client }) => client.reseller.asns('checkout') },
};

const manager: Record<string, Case> = {
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
  managerDeletePorts: { call: ({ manager }) => manager.deletePorts([24000, 24001]), value: undefined },
  managerRecentStats: { call: ({ manager }) => manager.recentStats(), value: { anything: 1 } },
};

const searches: Record<string, Case> = {
  searchPage: { call: ({ client }) => client.search.page({ zone: 'results', query: 'grand hotel', start: 0 }) },
  reviews: {
    call: async ({ client }) => {
      const { reviews } = await client.search.reviews({ zone: 'results', fid: '0x1:0x2', start: 10 });
      return { reviews: reviews.map(({ ratingValue: _ours, ...documented }) => documented) };
    },
  },
};

export const cases: Record<string, Case> = {
  ...requests,
  ...collectors,
  ...datasets,
  ...zones,
  ...manager,
  ...searches,
};

async function rowsOf(result: { state: string; rows?: AsyncIterable<unknown> }): Promise<unknown[]> {
  if (result.rows === undefined) throw new Error(`no rows: ${result.state}`);
  return collected(result.rows);
}
