/** Area A: exactly the documented request, the rules of its fields, and what may be sent again. */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProblemError } from '../../src/base/diagnostics/problem.ts';
import { type ZoneType, zoneTypes } from '../../src/client/areas/zones/zoneTypes.ts';
import { loopback } from './loopback.ts';
import { apiKey, clientOf, failureOf } from './setup.ts';
import { specFile } from './specFile.ts';
import { collected, serverOf } from './streams.ts';

const page = { zone: 'checkout', url: 'https://example.com/', format: 'raw' } as const;

describe('the answer', () => {
  test.each([
    ['requestBad', 'refused'],
    ['requestNoKey', 'unauthorized'],
  ])('%s is an error with the words of the service', async (name, code) => {
    const { answer } = specFile(name);
    const server = await loopback({ ...answer, body: 'Zone is odd' });
    expect(await failureOf(clientOf(server.url).request(page))).toMatchObject({
      code,
      message: `POST ${server.url}/request was answered ${answer.status}: Zone is odd`,
      effect: 'none',
    });
    expect(server.requests).toHaveLength(1);
  });

  test('to json is the parsed value, whatever its shape is', async () => {
    const server = await loopback({ body: [{ any: 1 }] });
    expect(await clientOf(server.url).request({ ...page, format: 'json' })).toEqual([{ any: 1 }]);
  });

  test('to raw is the text itself, even where it is JSON or empty', async () => {
    const server = await loopback({ body: '{"a":1}' }, { body: '' });
    const { request } = clientOf(server.url);
    expect([await request(page), await request(page)]).toEqual(['{"a":1}', '']);
  });

  test('to json that is no JSON is the text, as it was paid for', async () => {
    const server = await loopback({ body: 'name;price\n' }, { body: '"a text"' }, { body: '' });
    const { request } = clientOf(server.url);
    const send = () => request({ ...page, format: 'json' });
    expect([await send(), await send(), await send()]).toEqual(['name;price\n', 'a text', '']);
  });

  test.each([404, 410, 500])('that is %i keeps its text, which may be the page itself', async (status) => {
    const server = await loopback({ status, body: '<html>No such product</html>' });
    await expect(clientOf(server.url).request(page)).rejects.toMatchObject({
      status,
      body: '<html>No such product</html>',
    });
  });

  test('to json that is a page is an error', async () => {
    const server = await loopback({ body: '<!doctype html><title>Sign in</title>' });
    expect(await failureOf(clientOf(server.url).request({ ...page, format: 'json' }))).toEqual({
      code: 'unexpected-answer',
      message: `POST ${server.url}/request was answered 200 with an HTML page instead of JSON: Sign in`,
      fix: expect.stringContaining('Check the URL and the format'),
      effect: 'unknown',
    });
  });

  test('with the tag that was sent is fine, in the header that the profile names, and so is one without', async () => {
    const server = await loopback({ headers: { 'x-mine': 'order 7' }, body: 'one' }, { body: 'two' });
    const { request } = clientOf(server.url, { profile: { tagHeader: 'X-Mine' } });
    expect([await request({ ...page, tag: 'order 7' }), await request({ ...page, tag: 'order 7' })]).toEqual([
      'one',
      'two',
    ]);
  });

  test('with the tag of another request is an error', async () => {
    const server = await loopback({ headers: { 'x-c-tag': 'order-8' }, body: 'not yours' });
    expect(await failureOf(clientOf(server.url).request({ ...page, tag: 'order-7' }))).toMatchObject({
      code: 'unexpected-answer',
      message: `POST ${server.url}/request was answered with the tag "order-8" in x-c-tag, where "order-7" was sent`,
    });
  });

  test('never shows the key, where the service repeats it', async () => {
    const server = await loopback({ headers: { 'x-c-tag': apiKey }, body: '' }, { body: `<html>${apiKey}</html>` });
    const { request } = clientOf(server.url);
    const failures = [
      await failureOf(request({ ...page, tag: 'order-7' })),
      await failureOf(request({ ...page, format: 'json' })),
    ];
    expect(JSON.stringify(failures)).not.toContain(apiKey);
  });
});

describe('a page that is no UTF-8', () => {
  test.each([
    ['text/html; charset=ISO-8859-1', Buffer.from('caf\xe9', 'latin1'), 'café'],
    ['text/html;charset="windows-1251"', Buffer.from([0xcc, 0xe8, 0xf0]), 'Мир'],
    ['text/plain; charset=utf-16le', Buffer.from('Größe', 'utf16le'), 'Größe'],
    ['text/html', Buffer.from('Größe'), 'Größe'],
    ['text/html; charset=klingon', Buffer.from('Größe'), 'Größe'],
  ])('is read as its content type says: %s', async (type, bytes, text) => {
    const url = await serverOf(bytes, { 'content-type': type });
    expect(await clientOf(url).request(page)).toBe(text);
  });

  test('is returned byte for byte with its content type, and is requested like any other page', async () => {
    const image = randomBytes(300_000);
    const url = await serverOf(image, { 'content-type': 'image/png' });
    const { contentType, bytes } = await clientOf(url).requestStream(page);
    expect(contentType).toBe('image/png');
    expect(Buffer.concat(await collected(bytes)).equals(image)).toBe(true);

    const { request } = specFile('request', { apiKey });
    const server = await loopback({ body: '' });
    await clientOf(server.url).requestStream(page);
    expect(server.requests).toEqual([{ ...request, headers: expect.objectContaining(request.headers) }]);
  });

  test('as bytes has the same rules, refusals and tag check', async () => {
    const server = await loopback(
      { status: 400, body: 'Zone is odd' },
      { headers: { 'x-c-tag': 'order-8' }, body: 'not yours' },
    );
    const { requestStream } = clientOf(server.url);
    await expect(requestStream({ ...page, city: 'boston' })).rejects.toBeInstanceOf(ProblemError);
    expect(await failureOf(requestStream(page))).toMatchObject({
      code: 'refused',
      message: `POST ${server.url}/request was answered 400: Zone is odd`,
    });
    expect(await failureOf(requestStream({ ...page, tag: 'order-7' }))).toMatchObject({
      message: expect.stringContaining('the tag "order-8"'),
      effect: 'unknown',
    });
    expect(server.requests).toHaveLength(2);
  });

  test('as bytes that break off is an error, and is not asked for again', async () => {
    const server = await loopback({ body: 'x'.repeat(100_000), fault: 'truncate' });
    const { bytes } = await clientOf(server.url).requestStream(page);
    expect(await failureOf(collected(bytes))).toMatchObject({
      code: 'unexpected-answer',
      message: expect.stringMatching(/broke off after \d+ bytes$/),
      effect: 'unknown',
    });
    expect(server.requests).toHaveLength(1);
  });

  test('as an unread stream of bytes does not block other calls', async () => {
    const url = await serverOf(randomBytes(2_000_000), {});
    const stop = new AbortController();
    const client = clientOf(url, { concurrency: { initial: 2, max: 2 } });
    await Promise.all(Array.from({ length: 5 }, () => client.requestStream(page, { signal: stop.signal })));
    expect(await client.request(page)).not.toBe('');
    stop.abort();
  });
});

describe('a request is billed, so', () => {
  test.each([
    ['a lost answer', { fault: 'drop' }, 'connection-lost'],
    ['an answer that breaks off', { fault: 'truncate', body: 'a page' }, 'unexpected-answer'],
    ['a server error', { status: 503 }, 'server-error'],
  ] as const)('%s is not asked for again', async (_, reply, code) => {
    const server = await loopback(reply);
    expect(await failureOf(clientOf(server.url).request(page))).toMatchObject({ code, effect: 'unknown' });
    expect(server.requests).toHaveLength(1);
  });

  test('only a temporarily refused request is sent again', async () => {
    const server = await loopback({ status: 429 }, { body: 'a page' });
    expect(await clientOf(server.url).request(page)).toBe('a page');
    expect(server.requests).toHaveLength(2);
  });
});

/** The problems of a request, as a person reads them. Nothing is sent. */
async function problemsOf(more: object, zoneType?: ZoneType) {
  const server = await loopback({ body: '' });
  const client = clientOf(server.url, zoneType && { zoneTypes: { checkout: zoneType } });
  const error = await client.request({ ...page, ...more }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(server.requests).toHaveLength(error === undefined ? 1 : 0);
  if (error === undefined) return [];
  expect(error).toBeInstanceOf(ProblemError);
  return [...(error as ProblemError).problems];
}

describe('the rules are checked before anything is sent', () => {
  test.each(['city', 'zip', 'asn'])('%s needs a country', async (field) => {
    expect(await problemsOf({ [field]: '1' })).toEqual([
      {
        code: 'missing-key',
        found: `\`${field}\` without \`country\``,
        allowed: `\`${field}\` together with \`country\``,
        fix: 'add `country`, the country code',
        path: [field],
      },
    ]);
    expect(await problemsOf({ [field]: '1', country: 'us' })).toEqual([]);
  });

  test('a field of another type of zone, all of them at once', async () => {
    expect(await problemsOf({ zip: '94107', carrier: 'any' }, 'isp')).toEqual([
      expect.objectContaining({ code: 'missing-key', path: ['zip'] }),
      {
        code: 'not-allowed',
        found: '`zip` for the zone checkout, which is of type isp',
        allowed: '`zip` in residential zones only',
        fix: 'remove `zip`, use another zone, or correct the declared type of this one',
        path: ['zip'],
      },
      {
        code: 'not-allowed',
        found: '`carrier` for the zone checkout, which is of type isp',
        allowed: '`carrier` in mobile zones only',
        fix: 'remove `carrier`, use another zone, or correct the declared type of this one',
        path: ['carrier'],
      },
    ]);
  });

  test('without a declared type, only what no zone can take', async () => {
    expect(await problemsOf({ ip: '192.0.2.10' })).toEqual([]);
    expect(await problemsOf({ ip: '192.0.2.10', gip: 'one' })).toEqual([
      {
        code: 'not-allowed',
        found: '`gip` together with `ip`',
        allowed: '`ip` in datacenter and isp zones only, `gip` in residential and mobile zones only',
        fix: 'remove one of them: no zone accepts both',
        path: ['gip'],
      },
    ]);
  });

  test('a city in each of the four networks', async () => {
    for (const type of ['datacenter', 'isp', 'residential', 'mobile'] as const) {
      expect(await problemsOf({ country: 'us', city: 'sanfrancisco' }, type), type).toEqual([]);
    }
  });

  test.each([
    [{ format: 'html' }, 'not-one-of', 'format'],
    [{ method: 'POST' }, 'not-one-of', 'method'],
    [{ dns: 'peer' }, 'not-one-of', 'dns'],
    [{ url: 'ftp://example.com/' }, 'wrong-format', 'url'],
    [{ url: 'example.com' }, 'wrong-format', 'url'],
    [{ ip: '192.0.2.300' }, 'wrong-format', 'ip'],
    [{ tag: 'a\nb' }, 'wrong-format', 'tag'],
    [{ zone: '' }, 'too-small', 'zone'],
    [{ direct: 'yes' }, 'wrong-type', 'direct'],
    [{ contry: 'us' }, 'unknown-key', 'contry'],
  ])('%j', async (more, code, field) => {
    const [problem, ...others] = await problemsOf(more);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code, path: [field], found: expect.any(String), allowed: expect.any(String) });
  });

  test('for every zone and every set of fields: sent exactly where the table of the text allows it', async () => {
    const server = await loopback({ body: '' });
    const clients = new Map(
      zoneTypes.map((type) => [type, clientOf(server.url, { zoneTypes: { checkout: type } })] as const),
    );
    const values = { country: 'us', city: 'a', zip: '1', asn: '1', carrier: 'a', os: 'a', ip: '192.0.2.1', gip: 'a' };
    const only: Record<string, readonly string[]> = {
      zip: ['residential'],
      asn: ['residential'],
      carrier: ['mobile'],
      os: ['mobile'],
      ip: ['datacenter', 'isp'],
      gip: ['residential', 'mobile'],
    };
    const anyFields = fc.subarray(Object.keys(values) as (keyof typeof values)[]);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...zoneTypes), anyFields, async (type, fields) => {
        const isPlaced = fields.some((field) => ['city', 'zip', 'asn'].includes(field));
        const isFine =
          fields.every((field) => only[field]?.includes(type) ?? true) && (!isPlaced || fields.includes('country'));
        const more = Object.fromEntries(fields.map((field) => [field, values[field]]));
        const sent = clients.get(type)?.request({ ...page, ...more });
        if (isFine) await expect(sent).resolves.toBe('');
        else await expect(sent).rejects.toBeInstanceOf(ProblemError);
      }),
    );
  });
});
