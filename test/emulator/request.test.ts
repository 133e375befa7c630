/** Area A on the wire: the rules by the real type of the zone, and pages. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AccountInput, Emulator } from '../../src/emulator/index.ts';
import { createClient } from '../../src/index.ts';
import { send, small, start } from './helpers.ts';

const account: AccountInput = {
  ...small,
  zones: {
    ...small.zones,
    home: { type: 'isp', ips: { us: ['192.0.2.50-192.0.2.59'], de: ['203.0.113.9'] } },
    shoppers: { type: 'residential' },
    phones: { type: 'mobile' },
    results: { type: 'search' },
  },
  pages: {
    'https://example.com/': { body: '<!doctype html>\n<title>Example</title>\n' },
    'https://example.com/items*': { body: '[1]', type: 'application/json' },
    'https://example.com/items/gone*': { body: 'Gone', status: 410, type: 'text/plain' },
  },
};

const page = { zone: 'checkout', url: 'https://example.com/', format: 'raw' };

const ask = (emulator: Emulator, json: unknown, key = emulator.keys.user) =>
  send('POST', `${emulator.apiUrl}/request`, { key, json });

describe('the rules of the fields', () => {
  test.each([
    [{ zone: 'chekout' }, 'zone: chekout does not exist'],
    [{ url: 'ftp://example.com/' }, 'url: an http or https URL is required'],
    [{ format: 'html' }, 'format: raw or json is required'],
    [{ method: 'POST' }, 'method: must be GET'],
    [{ dns: 'peer' }, 'dns: must be local or remote'],
    [{ direct: 'true' }, 'direct: must be true or false'],
    [{ c_tag: 'a\nb' }, 'c_tag: must be a valid header value'],
    [{ city: 'berlin' }, 'city: requires country'],
    [{ zip: '94107', zone: 'shoppers' }, 'zip: requires country'],
    [{ ASN: '64500', zone: 'shoppers' }, 'ASN: requires country'],
    [{ zip: '94107', country: 'us' }, 'zip: only in residential zones; checkout is datacenter'],
    [{ ip: '192.0.2.51', zone: 'shoppers' }, 'ip: only in datacenter and isp zones; shoppers is residential'],
  ])('%j', async (more, detail) => {
    const emulator = await start(account);
    expect(await ask(emulator, { ...page, ...more })).toMatchObject({ status: 400, text: `Bad request: ${detail}` });
  });

  test('the client, told the types of the zones, refuses what the emulator refuses, and sends what it serves', async () => {
    const emulator = await start(account);
    const types = { home: 'isp', shoppers: 'residential', phones: 'mobile', results: 'search' } as const;
    const client = createClient({ url: emulator.apiUrl, apiKey: emulator.keys.user, zoneTypes: types });
    onTestFinished(() => client.close());
    const values = {
      country: 'us',
      city: 'a',
      zip: '1',
      asn: '64500',
      carrier: 'a',
      os: 'a',
      dns: 'local',
      session: 's',
      ip: '192.0.2.51',
      gip: 'a',
      tag: 'a b',
      direct: true,
      dataFormat: 'markdown',
    } as const;
    const anyZone = fc.constantFrom(...(Object.keys(types) as (keyof typeof types)[]));
    const anyFields = fc.subarray(Object.keys(values) as (keyof typeof values)[], { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(anyZone, anyFields, async (zone, names) => {
        const fields = Object.fromEntries(names.map((name) => [name, values[name]]));
        const { asn, tag, dataFormat, ...same } = fields;
        const wire = { ...page, zone, ...same, ASN: asn, c_tag: tag, data_format: dataFormat };
        const { status } = await ask(emulator, wire);
        const outcome = await client.request({ ...page, format: 'raw', zone, ...fields }).then(
          () => 200,
          ({ name }) => (name === 'ProblemError' ? 400 : name),
        );
        expect(outcome).toBe(status);
      }),
    );
  });
});

describe('pages', () => {
  test('are found by the longest start of the URL, with the type that they have', async () => {
    const emulator = await start(account);
    const items = await ask(emulator, { ...page, url: 'https://example.com/items/7' });
    expect([items.status, items.text, items.headers.get('content-type')]).toEqual([
      200,
      '[1]',
      'application/json; charset=utf-8',
    ]);
    const gone = await ask(emulator, { ...page, format: 'json', url: 'https://example.com/items/gone/1' });
    expect(gone.body).toEqual({
      url: 'https://example.com/items/gone/1',
      status: 410,
      headers: { 'content-type': 'text/plain' },
      body: 'Gone',
    });
  });

  test('of other hosts are refused without a call', async () => {
    const emulator = await start(account);
    expect(await ask(emulator, { ...page, url: 'https://example.org/' })).toMatchObject({
      status: 400,
      text: 'Bad request: url: https://example.org/ cannot be reached: the emulator has no page for it, and example.org is not one of its targets',
    });
  });

  test('of loopback are really fetched, and no redirect is followed', async () => {
    const server = createServer((_, response) =>
      response.writeHead(302, { location: 'https://example.com/', 'content-type': 'text/plain' }).end('elsewhere'),
    );
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const emulator = await start(account);
    expect((await ask(emulator, { ...page, url, format: 'json' })).body).toMatchObject({
      status: 302,
      body: 'elsewhere',
    });
    const closed = await start({ ...account, targets: [] });
    expect(await ask(closed, { ...page, url })).toMatchObject({ status: 400 });
  });
});

test('the tag comes back under the name that the dialect gives', async () => {
  const emulator = await start({ ...account, dialect: { tagHeader: 'x-mine' } });
  const { headers } = await ask(emulator, { ...page, c_tag: 'order 7' });
  expect([headers.get('x-mine'), headers.get('x-c-tag')]).toEqual(['order 7', null]);
});
