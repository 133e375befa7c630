/** The emulator against the shapes of the specification (`test/spec`): each request as it stands in its file, the answer as it is documented. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { AccountInput, Emulator } from '../../src/emulator/index.ts';
import { specFile } from '../client/specFile.ts';
import { type Received, send, start } from './helpers.ts';
import { movedClock, running } from './runs.ts';

/** How an answer is held against that of the file. */
type Comparison =
  /** The account holds the very values of the file. */
  | 'values'
  /** The same fields of the same types. */
  | 'shape'
  /** A text, whose words are not shown. */
  | 'text'
  /** Nothing of the body is shown. */
  | 'status';

interface Case {
  like: Comparison;
  /** What has to be there before, and the ids that come of it. */
  before?: (emulator: Emulator, pass: (seconds: number) => void) => Promise<Record<string, string>>;
  dialect?: AccountInput['dialect'];
}

const account: AccountInput = {
  ...running,
  zones: {
    ...running.zones,
    shoppers: { type: 'residential' },
    phones: { type: 'mobile' },
    results: { type: 'search' },
  },
  pages: {
    'https://example.com/': { body: '<!doctype html>\n<title>Example</title>\n' },
    'https://search.example.com/search*': pageOf('searchPage'),
    'https://search.example.com/reviews*': pageOf('reviews'),
  },
};

const cases: Record<string, Case> = {
  request: { like: 'values' },
  requestEveryField: { like: 'values' },
  requestDatacenter: { like: 'values' },
  requestMobile: { like: 'values' },
  requestJson: { like: 'status' },
  requestBad: { like: 'text' },
  requestNoKey: { like: 'text' },
  collectorTrigger: { like: 'shape' },
  collectorTriggerEmail: { like: 'shape' },
  collectorTriggerNoKey: { like: 'status' },
  collectorTriggerUnknown: { like: 'status' },
  collectorTriggerMismatch: { like: 'status' },
  collectorBuilding: { like: 'values', before: run('c_prices', 0) },
  collectorDataset: { like: 'values', before: run('c_prices', 10) },
  collectorNoRows: { like: 'values', before: run('c_none', 10) },
  datasetTrigger: { like: 'shape' },
  snapshotDownload: { like: 'values', before: collection(10) },
  snapshotBuilding: { like: 'values', before: collection(0) },
  snapshotNotReady: {
    like: 'values',
    before: collection(0),
    dialect: { errors: { 'snapshot-building': { body: { error: 'Snapshot not ready' } } } },
  },
  snapshotNotFound: { like: 'values' },
  zoneIps: { like: 'values' },
  zoneIpsPerCountry: { like: 'values' },
  zoneRecentIps: { like: 'values' },
  zoneIpsMigrate: { like: 'values' },
  getAsn: { like: 'values' },
  managerSettings: { like: 'values' },
  managerDeletePorts: { like: 'status' },
  managerRecentStats: { like: 'status' },
  searchPage: { like: 'values' },
  reviews: { like: 'values' },
};

test.each(Object.entries(cases))('%s', async (name, { like, before, dialect = {} }) => {
  const { clock, pass } = movedClock();
  const emulator = await start({ ...account, dialect }, { clock });
  const { received, answer } = await ask(emulator, name, await before?.(emulator, pass));
  expect(received.status).toBe(answer.status);
  if (like === 'values') expect(received.body ?? received.text).toEqual(answer.body);
  if (like === 'text') expect([received.body, received.text]).toEqual([undefined, expect.stringMatching(/\w/)]);
  if (like === 'shape') expect([...leavesOf(received.body)].sort()).toEqual([...leavesOf(answer.body)].sort());
});

test('every file of the specification has a test case', () => {
  const files = readdirSync(new URL('../spec', import.meta.url)).filter((file) => file.endsWith('.json'));
  expect(Object.keys(cases).sort()).toEqual(files.map((file) => file.replace(/\.json$/, '')).sort());
});

async function ask(emulator: Emulator, name: string, ids: Record<string, string> = {}) {
  const { base, request, answer } = specFile(name, {
    apiKey: emulator.keys.admin,
    zonePassword: 'manager-password',
    perCountrySwitch: 'ip_per_country',
    perCountryValue: 'true',
    parsedSwitch: 'parsed',
    parsedValue: 'json',
    ...ids,
  });
  const url = `${base === 'manager' ? emulator.managerUrl : emulator.apiUrl}${request.path}?${new URLSearchParams(request.query)}`;
  const text = request.body === undefined ? {} : { text: JSON.stringify(request.body) };
  const received: Received = await send(request.method, url, { headers: request.headers, ...text });
  return { received, answer };
}

/** A run of this collector, so many seconds ago. */
function run(collector: string, seconds: number): Case['before'] {
  return async ({ apiUrl, keys }, pass) => {
    const url = `${apiUrl}/dca/trigger?collector=${collector}&queue_next=1`;
    const json = [{ url: 'https://shop.example.com/1' }, { url: 'https://shop.example.com/2' }];
    const { body } = await send('POST', url, { key: keys.user, json });
    pass(seconds);
    return { collectionId: (body as { collection_id: string }).collection_id };
  };
}

function collection(seconds: number): Case['before'] {
  return async (emulator, pass) => {
    const { received } = await ask(emulator, 'datasetTrigger');
    pass(seconds);
    return { snapshotId: (received.body as { snapshot_id: string }).snapshot_id };
  };
}

/** The page of an account with the answer of a file. */
function pageOf(name: string) {
  return { body: JSON.stringify(specFile(name).answer.body), type: 'application/json' };
}

/** Every path to a value, and its type; of lists, the entries together. */
function leavesOf(value: unknown, path = ''): Set<string> {
  if (Array.isArray(value)) {
    return new Set([`${path}: list`, ...value.flatMap((item) => [...leavesOf(item, `${path}[]`)])]);
  }
  if (typeof value !== 'object' || value === null) return new Set([`${path}: ${typeof value}`]);
  const inside = Object.entries(value).flatMap(([key, item]) => [...leavesOf(item, path ? `${path}.${key}` : key)]);
  return new Set(inside);
}
