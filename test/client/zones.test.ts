/** Areas D and E beyond the documented shapes: profiles, case, unknown fields, several names. */
import { expect, test } from 'vitest';
import { loopback } from './loopback.ts';
import { clientOf, failureOf } from './setup.ts';

test('a listing under other key names, with another database that decides', async () => {
  const entry = { ip: '192.0.2.10', maxmind: 'US', ext: { dbip: 'CA', ip2location: 'us' } };
  const server = await loopback({ body: { ips: [entry] } });
  const geolocation = { first: 'maxmind', others: ['dbip', 'ip2location'], countryDatabase: 'dbip' };
  expect(await clientOf(server.url, { profile: { geolocation } }).zones.ips('checkout')).toEqual([
    { ip: '192.0.2.10', country: 'ca', geolocation: { maxmind: 'us', dbip: 'ca', ip2location: 'us' } },
  ]);
});

test('unknown fields of a listing are kept, and cannot pass for known ones', async () => {
  const ext = { geo_db_2: 'us', geo_db_3: 'us', geo_db_4: 'us', as: 64500 };
  const entry = { ip: '192.0.2.10', geo_db_1: 'us', ext, since: '2026-01-01', country: 'not this', geolocation: 1 };
  const server = await loopback({ body: { ips: [entry], total: 1 } });
  expect(await clientOf(server.url).zones.ips('checkout')).toEqual([
    {
      ip: '192.0.2.10',
      country: 'us',
      geolocation: { geo_db_1: 'us', geo_db_2: 'us', geo_db_3: 'us', geo_db_4: 'us' },
      ext: { as: 64500 },
      since: '2026-01-01',
    },
  ]);
});

test('numbers per country fold the case of the country', async () => {
  const server = await loopback({ body: { US: 2, us: 1, De: 5 } });
  const profile = { perCountrySwitch: { name: 'by_country', value: '1' } };
  expect(await clientOf(server.url, { profile }).zones.countries('checkout')).toEqual({ us: 3, de: 5 });
  expect(server.requests).toMatchObject([{ path: '/zone/ips', query: { zone: 'checkout', by_country: '1' } }]);
});

test('numbers per country of another shape are an error that says what to set', async () => {
  const server = await loopback({ body: { us: 'many' } });
  expect(await failureOf(clientOf(server.url).zones.countries('checkout'))).toEqual({
    code: 'unexpected-answer',
    message: `GET ${server.url}/zone/ips?zone=checkout&ip_per_country=true was answered 200 with an unexpected shape: us: expected a count, received "many"`,
    fix: 'Check the URL. If this service uses another name for the switch, pin it: service: { profile: { perCountrySwitch: { name: NAME, value: "true" } } }',
    effect: 'none',
  });
});

test('recent IPs of several zones are asked for one by one, and of all zones at once', async () => {
  const server = await loopback(({ query: { zones = '' } }) => ({ body: { [zones]: [`ip of ${zones}`] } }));
  const { zones } = clientOf(server.url);
  expect(await zones.recentIps(['a', 'b', 'a'])).toEqual({ a: ['ip of a'], b: ['ip of b'] });
  expect(await zones.recentIps(['a', '*'])).toEqual({ '*': ['ip of *'] });
  expect(await zones.recentIps([])).toEqual({});
  expect(server.requests.map(({ query }) => query.zones).sort()).toEqual(['*', 'a', 'b']);
});

test('a migration sends the documented fields only, and keeps what the answer has beyond them', async () => {
  const server = await loopback({ body: { from: 'a', to: 'b', count: 0, job: 7 } });
  const request = { from: 'a', to: 'b', ips: ['192.0.2.10'], note: 'mine' };
  expect(await clientOf(server.url).zones.migrate(request)).toEqual({ from: 'a', to: 'b', count: 0, job: 7 });
  expect(server.requests[0]?.body).toEqual({ from: 'a', to: 'b', ips: ['192.0.2.10'] });
});

test('the reseller path is a template, and a name stays within its segment', async () => {
  const server = await loopback({ body: [{ asn: '64500', title: 'Example', more: true }] });
  const { reseller } = clientOf(server.url, { profile: { resellerPath: '/partner/{partner}/asns' } });
  expect(await reseller.asns('a/b c')).toEqual([{ asn: '64500', title: 'Example', more: true }]);
  expect(server.requests[0]?.path).toBe('/partner/a%2Fb%20c/asns');
  expect(await failureOf(reseller.asns('..'))).toEqual({
    code: 'refused',
    message: `the name ".." cannot be part of a URL's path`,
    fix: 'Pass the plain name.',
    effect: 'none',
  });
  expect(await failureOf(reseller.asns('\udfff'))).toMatchObject({ code: 'refused', effect: 'none' });
});
