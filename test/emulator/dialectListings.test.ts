/** The dialect of account management and the reseller call: each field changes the answer as documented. */
import { expect, test } from 'vitest';
import type { AccountInput } from '../../src/emulator/index.ts';
import { get, migrate, small, start } from './helpers.ts';

type Dialect = NonNullable<AccountInput['dialect']>;

const speaking = (dialect: Dialect) => start({ ...small, dialect });

const bodyOf = async (dialect: Dialect, path: string) => {
  const { status, text, body } = await get(await speaking(dialect), path);
  return { status, body: body === undefined ? text : body };
};

const [first, second] = [
  { ip: '192.0.2.10', geo_db_1: 'us' },
  { ip: '192.0.2.11', geo_db_1: 'de' },
];
const de = { geo_db_2: 'de', geo_db_3: 'de', geo_db_4: 'de' };

test.each<[Dialect['listing'], unknown]>([
  [
    { form: 'list' },
    [
      { ...first, ext: { geo_db_2: 'us', geo_db_3: 'us', geo_db_4: 'ca' } },
      { ...second, ext: de },
    ],
  ],
  [{ ext: 'missing' }, { ips: [first, second] }],
  [{ ext: 'null' }, { ips: [first, second].map((entry) => ({ ...entry, ext: null })) }],
  [
    { ext: 'flat', databases: ['code', 'null', 'missing', 'empty'] },
    { ips: [first, second].map((entry) => ({ ...entry, geo_db_2: null, geo_db_4: '' })) },
  ],
  [
    { databases: ['null', 'code', 'missing', 'missing'], every: 2 },
    {
      ips: [
        { ip: '192.0.2.10', geo_db_1: null, ext: { geo_db_2: 'us' } },
        { ...second, ext: de },
      ],
    },
  ],
])('a listing in the form %j', async (listing = {}, body) => {
  expect(await bodyOf({ listing }, '/zone/ips?zone=checkout')).toEqual({ status: 200, body });
});

test.each([
  ['list', 200, { ips: [] }],
  ['null-list', 200, { ips: null }],
  ['object', 200, {}],
  ['null', 200, null],
  ['no-content', 204, ''],
] as const)('an empty zone listed as %s', async (empty, status, body) => {
  expect(await bodyOf({ listing: { empty } }, '/zone/ips?zone=parked')).toEqual({ status, body });
});

test('counts as texts, and a switch that is ignored', async () => {
  const path = '/zone/ips?zone=checkout&ip_per_country=true';
  expect(await bodyOf({ counts: 'texts' }, path)).toMatchObject({ body: { us: '1', de: '1' } });
  const ignored = await bodyOf({ perCountrySwitch: { ignored: true } }, path);
  expect(ignored.body).toMatchObject({ ips: [first, second] });
});

test.each<[Dialect['recentIps'], unknown]>([
  [
    { form: 'objects', empty: 'null' },
    { checkout: [{ ip: '203.0.113.5' }, { ip: '203.0.113.6' }], pricing: null },
  ],
  [{ form: 'map', empty: 'missing' }, { checkout: { '203.0.113.5': {}, '203.0.113.6': {} } }],
])('recent IPs in the form %j', async (recentIps = {}, body) => {
  const received = await bodyOf({ recentIps }, '/zone/recent_ips?zones=*');
  expect(received.body).toMatchObject(body as object);
  expect(Object.keys(received.body as object)).toEqual(Object.keys(body as object));
});

test.each([
  ['count-text', 200, { from: 'pricing', to: 'parked', count: '1' }],
  ['count-only', 200, { count: 1 }],
  ['number', 200, 1],
  ['text', 200, undefined],
  ['empty-object', 200, {}],
  ['no-content', 204, undefined],
] as const)('a migrate answered with %s moves the IPs', async (migrateAnswer, status, body) => {
  const emulator = await speaking({ migrateAnswer });
  expect(await migrate(emulator, 'pricing', 'parked', ['192.0.2.20'])).toMatchObject({ status, body });
  expect(emulator.ips('parked')).toEqual(['192.0.2.20']);
});
