/** Listings of zones as accounts that differ from the specification answer them, and what is found out from them. */
import { describe, expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import type { AnswerMisfit } from '../../src/client/transport/transport.ts';
import { loopback } from './loopback.ts';
import { clientOf, failureOf } from './setup.ts';

const ip = '192.0.2.10';

async function listed(body: unknown, options: Parameters<typeof clientOf>[1] = {}, status = 200) {
  const server = await loopback({ status, body });
  const client: Client = clientOf(server.url, options);
  return { client, ...(await client.zones.listing('checkout')) };
}

describe('names of the databases', () => {
  test.each<[string, object, object, object]>([
    [
      'beside the IP and in ext',
      { ip, atlas: 'US', ext: { borealis: 'us', compass: 'ca' } },
      { atlas: 'us', borealis: 'us', compass: 'ca' },
      { first: 'atlas', others: ['borealis', 'compass'] },
    ],
    [
      'all beside the IP',
      { ip, atlas: 'us', borealis: 'ca' },
      { atlas: 'us', borealis: 'ca' },
      { first: 'atlas', others: ['borealis'] },
    ],
    [
      'beside other codes',
      { ip, lang: 'en', state: 'ca', status: 'ok', atlas: 'us' },
      { atlas: 'us' },
      { first: 'atlas', others: [] },
    ],
    ['only in ext', { ip, ext: { borealis: 'us' } }, { borealis: 'us' }, { first: undefined, others: ['borealis'] }],
  ])('are read from the listing: %s', async (_what, entry, geolocation, names) => {
    const { ips, client } = await listed({ ips: [entry] });
    expect(ips[0]).toMatchObject({ ip, country: 'us', geolocation });
    expect(client.inferredProfile()).toEqual({ geolocation: names });
  });

  test('of the specification need no profile', async () => {
    const { client } = await listed({ ips: [{ ip, geo_db_1: 'us', ext: { geo_db_2: 'us' } }] });
    expect(client.inferredProfile()).toEqual({});
  });

  test('of the profile win', async () => {
    const geolocation = { first: 'borealis', others: ['atlas'] };
    const { ips, client } = await listed({ ips: [{ ip, atlas: 'us', borealis: 'ca' }] }, { profile: { geolocation } });
    expect(ips).toEqual([{ ip, country: 'ca', geolocation: { atlas: 'us', borealis: 'ca' } }]);
    expect(client.inferredProfile()).toEqual({});
  });

  test('of a profile that fits no entry are an error with the profile that does', async () => {
    const server = await loopback({ body: { ips: [{ ip, atlas: 'us', ext: { borealis: 'us' } }] } });
    const client = clientOf(server.url, { profile: { geolocation: { first: 'maxmind' } } });
    expect(await failureOf(client.zones.ips('checkout'))).toMatchObject({
      code: 'unexpected-answer',
      fix: 'The service profile names `maxmind` (geolocation.first), but this service seems to have other databases: service: { profile: { geolocation: { first: atlas, others: [borealis] } } }',
    });
  });
});

describe('the country', () => {
  test.each<[string, object, string]>([
    ['of the first database that has one', { atlas: null, ext: { borealis: '', compass: 'de' } }, 'de'],
    ['empty where none has one', { atlas: null, ext: null }, ''],
    ['that of the next where the first is of another type', { atlas: 7, ext: { compass: 'de' } }, 'de'],
  ])('is %s', async (_what, entry, country) => {
    const geolocation = { first: 'atlas', others: ['borealis', 'compass'] };
    const { ips } = await listed({ ips: [{ ip, ...entry }] }, { profile: { geolocation } });
    expect(ips[0]?.country).toBe(country);
  });
});

describe('the form of the listing', () => {
  test.each<[string, unknown]>([
    ['a bare list', [{ ip, geo_db_1: 'us' }]],
    ['a list of texts', [ip]],
    ['under another name', { data: [{ ip }], total: 1 }],
    ['in an object', { result: { ips: [{ ip }] }, page: { size: 100 } }],
    ['with a byte order mark', `\ufeff{"ips":[{"ip":"${ip}"}]}`],
    ['with spaces', { ips: [{ ip: ` ${ip} ` }] }],
  ])('may be %s', async (_what, body) => {
    const { ips, unclear } = await listed(body);
    expect([ips.map((each) => each.ip), unclear]).toEqual([[ip], undefined]);
  });

  test.each<[string, unknown[], string[]]>([
    ['an IPv6 address', [{ ip }, { ip: '2001:DB8:0::1' }, '2001:db8::1'], ['2001:db8::1']],
    ['an IPv4 address as IPv6', [{ ip: `::ffff:${ip}` }], []],
    ['no address', [{ ip }, { ip: 'any' }, { ip: `${ip}:80` }, { ip: '' }], ['"any"', `"${ip}:80"`, '""']],
    ['null', [{ ip, geo_db_1: 'us' }, { ip: null, geo_db_1: 'us' }, null], ['null']],
  ])('may have an entry that is %s', async (_what, entries, apart) => {
    const listing = await listed({ ips: entries });
    expect([listing.ips.map((each) => each.ip), listing.apart]).toEqual([[ip], apart]);
  });

  test('of a zone with IPv6 addresses alone has no IPs', async () => {
    expect(await listed({ ips: [{ ip: '2001:db8::1' }] })).toMatchObject({ ips: [], apart: ['2001:db8::1'] });
  });

  test.each<[string, unknown, number, string | undefined]>([
    ['an empty list', { ips: [] }, 200, undefined],
    ['a bare empty list', [], 200, undefined],
    ['null', null, 200, 'null'],
    ['{}', {}, 200, '{}'],
    ['204', '', 204, 'an empty answer'],
  ])('of a zone without IPs may be %s', async (_what, body, status, unclear) => {
    expect(await listed(body, {}, status)).toMatchObject({ ips: [], unclear });
  });
});

test('what does not fit is kept and listed once for all entries, redacted', async () => {
  const misfits: AnswerMisfit[] = [];
  const entry = (last: number) => ({ ip: `192.0.2.${last}`, geo_db_1: 'us', ext: 'test-key-0123456789' });
  const { ips } = await listed({ ips: [entry(1), entry(2)] }, { onMisfit: (misfit) => misfits.push(misfit) });
  expect(ips[0]).toMatchObject({ country: 'us', ext: 'test-key-0123456789' });
  expect(misfits).toEqual([
    {
      method: 'GET',
      url: expect.stringContaining('/zone/ips?zone=checkout'),
      path: 'ips[0].ext',
      found: '"***"',
      expected: 'an object',
      count: 2,
    },
  ]);
});

describe('counts by country', () => {
  test.each<[string, unknown, object]>([
    ['as text', { us: '3', DE: '1' }, { us: 3, de: 1 }],
    ['in an object', { countries: { us: 3 } }, { us: 3 }],
    ['null', null, {}],
    [
      'a listing',
      {
        ips: [
          { ip, geo_db_1: 'us' },
          { ip: '192.0.2.11', geo_db_1: null },
        ],
      },
      { us: 1 },
    ],
    ['a bare listing', [{ ip, atlas: 'US' }], { us: 1 }],
    ['a listing under another name', { data: [{ ip, atlas: 'US' }], total: 1 }, { us: 1 }],
  ])('may be %s', async (_what, body, counts) => {
    const server = await loopback({ body });
    expect(await clientOf(server.url).zones.countries('checkout')).toEqual(counts);
  });

  test('are counted from the listing where the profile says that there is no switch', async () => {
    const server = await loopback({ body: [{ ip, atlas: 'US' }] });
    const client = clientOf(server.url, { profile: { perCountrySwitch: { supported: false } } });
    expect(await client.zones.countries('checkout')).toEqual({ us: 1 });
    expect(server.requests.map(({ query }) => query)).toEqual([{ zone: 'checkout' }]);
  });

  test('that the service does not give are found out', async () => {
    const server = await loopback({ body: { ips: [] } });
    const client = clientOf(server.url);
    expect(await client.zones.countries('checkout')).toEqual({});
    expect(client.inferredProfile()).toEqual({ perCountrySwitch: { supported: false } });
  });
});

describe('recent IPs', () => {
  test.each<[string, unknown, object]>([
    ['null', { checkout: null }, { checkout: [] }],
    ['objects', { checkout: [{ ip, last_seen: 'now' }] }, { checkout: [ip] }],
    ['a map', { checkout: { [ip]: 3 } }, { checkout: [ip] }],
    ['a bare list', [ip], { checkout: [ip] }],
    ['one text', { checkout: ip }, { checkout: [ip] }],
    ['beside other fields', { checkout: [ip], total: 1, status: 'ok' }, { checkout: [ip] }],
    ['nothing', null, { checkout: [] }],
  ])('may be %s', async (_what, body, found) => {
    const server = await loopback({ body });
    expect(await clientOf(server.url).zones.recentIps('checkout')).toEqual(found);
  });

  test('of an error object are an error', async () => {
    const server = await loopback({ body: { error: 'no access' } });
    expect((await failureOf(clientOf(server.url).zones.recentIps('*'))).message).toContain('no access');
  });
});

describe('a migration', () => {
  const request = { from: 'a', to: 'b', ips: [ip] };

  test.each<[string, number, unknown, number | undefined]>([
    ['a count as text', 200, { from: 'a', to: 'b', count: '1' }, 1],
    ['only a count', 200, { count: 1 }, 1],
    ['a number', 200, 1, 1],
    ['nothing', 204, '', undefined],
    ['an empty 200', 200, '', undefined],
    ['text', 200, 'OK', undefined],
    ['{}', 202, {}, undefined],
    ['another type', 200, { count: [1] }, undefined],
  ])('that is answered with %s is accepted', async (_what, status, body, count) => {
    const server = await loopback({ status, body });
    expect(await clientOf(server.url).zones.migrate(request)).toMatchObject({ from: 'a', to: 'b', count });
    expect(server.requests).toHaveLength(1);
  });

  test.each<[string, object, PropertyKey[]]>([
    ['to the same zone', { to: 'a' }, ['to']],
    ['from no zone', { from: '' }, ['from']],
    ['of nothing', { ips: [] }, ['ips']],
    ['of what is no IP', { ips: [ip, '192.0.2'] }, ['ips', 1]],
    ['of an IPv6 address', { ips: ['2001:db8::1'] }, ['ips', 0]],
    ['of an IP twice', { ips: [ip, ip] }, ['ips']],
  ])('%s is refused before it is sent', async (_what, wrong, path) => {
    const server = await loopback({ body: {} });
    const sent = clientOf(server.url).zones.migrate({ ...request, ...wrong });
    await expect(sent).rejects.toMatchObject({
      name: 'ProblemError',
      problems: [{ path, found: expect.any(String), allowed: expect.any(String) }],
    });
    expect(server.requests).toEqual([]);
  });
});

test.each<[string, unknown, object[]]>([
  ['numbers', [{ asn: 64500, title: 'One' }], [{ asn: '64500', title: 'One' }]],
  [
    'without titles',
    [{ asn: '64500' }, { asn: '64501', title: null }],
    [
      { asn: '64500', title: '' },
      { asn: '64501', title: '' },
    ],
  ],
  ['a list in an object', { asns: [{ asn: '64500', title: 'One' }] }, [{ asn: '64500', title: 'One' }]],
  ['null', null, []],
])('ASNs may be %s', async (_what, body, found) => {
  const server = await loopback({ body });
  expect(await clientOf(server.url).reseller.asns('checkout')).toEqual(found);
});

const three = ['192.0.2.10', '192.0.2.11', '192.0.2.12'].map((each) => ({ ip: each, atlas: 'us' }));

test.each<[object, string | undefined]>([
  [{ total: 5 }, '`total` is 5, beside 3 entries'],
  [{ total_count: '5' }, '`total_count` is "5", beside 3 entries'],
  [{ next: 'https://api.example.com/zone/ips?page=2' }, 'beside 3 entries'],
  [{ pages: 2 }, '`pages` is 2, beside 3 entries'],
  [{ meta: { page: 1, total_pages: 2 } }, '`total_pages` is 2, beside 3 entries'],
  [{ has_more: true }, '`has_more` is true, beside 3 entries'],
  [{ total: 3, next: null, pages: 1, has_more: false }, undefined],
  [{ total: 2 }, undefined],
  [{ meta: { page: 1, size: 100, total: 3 }, links: {} }, undefined],
])('a listing with %j tells whether it is whole', async (more, part) => {
  const { partial } = await listed({ ips: three, ...more });
  expect(partial).toEqual(part && expect.stringContaining(part));
  expect((await listed({ data: { ips: three, ...more } })).partial).toBe(partial);
});

test('an IP that is listed twice is one', async () => {
  const { ips, partial } = await listed({ ips: [...three, three[0]], total: 3 });
  expect([ips.length, partial]).toEqual([3, undefined]);
});
