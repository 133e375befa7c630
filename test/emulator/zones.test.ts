import { describe, expect, test } from 'vitest';
import type { AccountInput } from '../../src/emulator/index.ts';
import { get, listed, migrate, send, small, start } from './helpers.ts';

describe('migrate', () => {
  test('moves the IPs, answers how many, and an IP is in exactly one zone', async () => {
    const emulator = await start();
    const received = await migrate(emulator, 'pricing', 'parked', ['192.0.2.20', '192.0.2.22', '192.0.2.20']);
    expect(received.body).toEqual({ from: 'pricing', to: 'parked', count: 2 });
    expect(await listed(emulator, 'pricing')).toEqual(['192.0.2.21']);
    expect(await listed(emulator, 'parked')).toEqual(['192.0.2.20', '192.0.2.22']);
  });

  test('leaves IPs that are not in the source zone, and counts what it moved', async () => {
    const emulator = await start();
    const received = await migrate(emulator, 'pricing', 'parked', ['192.0.2.10', '192.0.2.20', '198.51.100.1']);
    expect(received.body).toEqual({ from: 'pricing', to: 'parked', count: 1 });
    expect(emulator.ips('checkout')).toContain('192.0.2.10');
    expect(emulator.requests().at(-1)?.effect).toEqual({ moved: ['192.0.2.20'], from: 'pricing', to: 'parked' });
  });

  test.each([
    [{ to: 'parked', ips: ['192.0.2.20'] }, 'Bad request: from: a zone name is required'],
    [{ from: 'pricing', to: 7, ips: ['192.0.2.20'] }, 'Bad request: to: a zone name is required'],
    [{ from: 'pricing', to: 'parked' }, 'Bad request: ips: a list of IPs is required'],
    [{ from: 'pricing', to: 'parked', ips: [] }, 'Bad request: ips: at least one IP is required'],
    [{ from: 'pricing', to: 'parked', ips: ['192.0.2.20', '192.0.2.256'] }, 'Bad request: ips.1: an IPv4 address'],
    [{ from: 'pricing', to: 'pricing', ips: ['192.0.2.20'] }, 'Bad request: from and to are both pricing'],
  ])('refuses %j', async (json, text) => {
    const emulator = await start();
    const url = `${emulator.apiUrl}/zone/ips/migrate`;
    expect(await send('POST', url, { key: emulator.keys.ops, json })).toMatchObject({ status: 400, text });
    expect(emulator.ips('pricing')).toHaveLength(3);
  });

  test('refuses a body that is missing, not JSON, or not said to be JSON', async () => {
    const { apiUrl, keys } = await start();
    const post = async (text: string | undefined, contentType: string) => {
      const options = { key: keys.ops, ...(text !== undefined && { text }), headers: { 'content-type': contentType } };
      return (await send('POST', `${apiUrl}/zone/ips/migrate`, options)).text;
    };
    expect(await post(undefined, 'application/json')).toBe('Bad request: the body is missing');
    expect(await post('{"from":', 'application/json')).toBe('Bad request: the body is not JSON');
    expect(await post('{}', 'text/plain')).toBe('Bad request: content-type is not application/json');
  });

  test('names the zone that does not exist', async () => {
    const emulator = await start();
    const received = await migrate(emulator, 'pricing', 'prking', ['192.0.2.20']);
    expect(received).toMatchObject({ status: 404, text: 'Zone not found: prking' });
  });

  test('a hundred concurrent requests move each IP once', async () => {
    const emulator = await start({ ...small, zones: { a: { ips: { us: ['198.51.100.0-198.51.100.99'] } }, b: {} } });
    const answers = await Promise.all(emulator.ips('a').map((ip) => migrate(emulator, 'a', 'b', [ip])));
    expect(answers.map(({ body }) => (body as { count: number }).count)).toEqual(Array(100).fill(1));
    expect([emulator.ips('a').length, emulator.ips('b').length]).toEqual([0, 100]);
  });
});

describe('listings', () => {
  test('require a zone that exists', async () => {
    const emulator = await start();
    expect(await get(emulator, '/zone/ips?zone=nothing')).toMatchObject({
      status: 404,
      text: 'Zone not found: nothing',
    });
    expect((await get(emulator, '/zone/ips')).status).toBe(400);
    expect((await get(emulator, '/zone/recent_ips?zones=checkout,nothing')).status).toBe(404);
  });

  test('of recent IPs are for one zone, or for all that were used', async () => {
    const emulator = await start();
    const recent = async (zones: string) => (await get(emulator, `/zone/recent_ips?zones=${zones}`)).body;
    const checkout = ['203.0.113.5', '203.0.113.6'];
    expect(await recent('checkout')).toEqual({ checkout });
    expect(await recent('*')).toEqual({ checkout, pricing: [] });
  });

  test('of ASNs take a zone or the partner name', async () => {
    const account = structuredClone(small) as AccountInput & { zones: object };
    const emulator = await start({
      ...account,
      zones: { ...account.zones, own: { asns: [{ asn: '64511', title: 'Own' }] } },
    });
    expect((await get(emulator, '/api/own/get_asn')).body).toEqual([{ asn: '64511', title: 'Own' }]);
    expect((await get(emulator, '/api/parked/get_asn')).body).toEqual(small.asns);
    expect((await get(emulator, '/api/example_partner/get_asn')).body).toEqual(small.asns);
    expect((await get(emulator, '/api/nothing/get_asn')).status).toBe(404);
  });

  test('may lag by a number of listings of each zone', async () => {
    const emulator = await start({ ...small, dialect: { listingLag: { listings: 2 } } });
    await migrate(emulator, 'pricing', 'parked', ['192.0.2.20']);
    const old = ['192.0.2.21', '192.0.2.22', '192.0.2.20'];
    expect([await listed(emulator, 'pricing'), await listed(emulator, 'pricing')]).toEqual([old, old]);
    expect(await listed(emulator, 'pricing')).toEqual(['192.0.2.21', '192.0.2.22']);
    expect([await listed(emulator, 'parked'), await listed(emulator, 'parked')]).toEqual([[], []]);
    expect(await listed(emulator, 'parked')).toEqual(['192.0.2.20']);
  });

  test('may lag by a time, separately for each migration', async () => {
    let now = new Date('2026-03-01T00:00:00Z');
    const emulator = await start({ ...small, dialect: { listingLag: { ms: 500 } } }, { clock: () => now });
    await migrate(emulator, 'pricing', 'parked', ['192.0.2.20']);
    now = new Date(now.getTime() + 300);
    await migrate(emulator, 'pricing', 'parked', ['192.0.2.21']);
    expect(await listed(emulator, 'parked')).toEqual([]);
    now = new Date(now.getTime() + 300);
    expect(await listed(emulator, 'parked')).toEqual(['192.0.2.20']);
    now = new Date(now.getTime() + 300);
    expect(await listed(emulator, 'parked')).toEqual(['192.0.2.20', '192.0.2.21']);
  });
});

test('a zone of 100,000 IPs lists and migrates, in time that does not grow with their square', async () => {
  const zones = { big: { ips: { us: ['10.0.0.0-10.1.134.159'] } }, other: {} };
  const emulator = await start({ id: 'hl_big', zones, dialect: { listingLag: { listings: 1 } } });
  const ips = await listed(emulator, 'big');
  expect(ips).toHaveLength(100_000);
  expect((await migrate(emulator, 'big', 'other', ips)).body).toEqual({ from: 'big', to: 'other', count: 100_000 });
  expect([(await listed(emulator, 'other')).length, (await listed(emulator, 'other')).length]).toEqual([0, 100_000]);
});

test('the error names an unknown route, with any key', async () => {
  const emulator = await start();
  expect(await get(emulator, '/zone/ipz')).toMatchObject({ status: 404, text: 'No such route: GET /zone/ipz' });
  expect(await send('DELETE', `${emulator.managerUrl}/api/settings`)).toMatchObject({
    status: 404,
    text: 'No such route: DELETE /api/settings',
  });
});
