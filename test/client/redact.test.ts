/** No secret is seen in any form, and what is not secret is left as it was. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSecretName } from '../../src/base/values/secretName.ts';
import { redactor } from '../../src/client/redact.ts';

const encode = encodeURIComponent;
const byName = redactor();

/** A secret as any key or password may be, but not one that the placeholder itself would contain. */
const secret = fc
  .string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 })
  .filter((value) => !value.includes('*') && value.trim() !== '');
const around = fc.string({ unit: 'grapheme-ascii', maxLength: 20 });

describe('known values', () => {
  const forms: [string, (value: string) => string][] = [
    ['as they are', (value) => value],
    ['URL-encoded', encode],
    ['URL-encoded in lower case', (value) => encode(value).replaceAll(/%../g, (byte) => byte.toLowerCase())],
    ['in a form', (value) => new URLSearchParams({ v: value }).toString().slice(2)],
    ['in JSON', (value) => JSON.stringify({ note: value })],
    ['in base64', (value) => Buffer.from(value).toString('base64')],
    ['in hexadecimal', (value) => Buffer.from(value).toString('hex')],
    ['in hexadecimal in upper case', (value) => Buffer.from(`user:${value}`).toString('hex').toUpperCase()],
    ['in base64 after a user name', (value) => Buffer.from(`user:${value}`).toString('base64')],
    ['in JSON in a query string', (value) => `https://h/p?a=1&data=${encode(JSON.stringify([{ x: value }]))}&b=2`],
  ];

  test.each(forms)('%s', (_what, form) => {
    fc.assert(
      fc.property(secret, around, around, (value, before, after) => {
        const seen = redactor(['other-secret', value])(`${before} ${form(value)} ${after}`);
        return !seen.includes(form(value)) && !seen.includes(value);
      }),
    );
  });

  test('the longest first, and the empty one never', () => {
    expect(redactor(['', 'abcdefgh', 'abcdefgh-ijkl'])('abcdefgh-ijkl abcdefgh x')).toBe('*** *** x');
  });
});

test('a value of fewer than 4 characters is hidden by its name, and not inside of other words', () => {
  const redact = redactor(['e', 'key', '']);
  expect(redact('the keys of three zones: GET /zone/ips')).toBe('the keys of three zones: GET /zone/ips');
  expect(redact('https://h/?password=e Authorization: Bearer e')).not.toMatch(/=e\b|Bearer e\b/);
  expect(redactor(['k3y!'])('a k3y! 6b337921 6B337921')).toBe('a *** *** ***');
});

describe('by name', () => {
  const names = ['password', 'api_key', 'X-Api-Key', 'webhook_header_Authorization', 'aws-secret-key', 'token'];

  test.each(names)('%s, at any depth of JSON and of URL encoding', (name) => {
    fc.assert(
      fc.property(secret, fc.array(fc.constantFrom('json', 'query'), { maxLength: 4 }), (value, layers) => {
        const innermost = `${encode(name)}=${encode(value)}`;
        const text = layers.reduce(
          (inner, layer) => (layer === 'json' ? JSON.stringify({ a: [inner] }) : `https://h/p?x=1&y=${encode(inner)}`),
          innermost,
        );
        expect(fullyDecoded(byName(text))).not.toContain(`=${value}`);
        expect(fullyDecoded(byName(text))).toContain('=***');
      }),
    );
  });

  test.each([
    ['https://user:pa%20ss@h/p?zone=a', 'https://***@h/p?zone=a'],
    ['https://h/hook?key=abc&zone=a&access_token=def#x', 'https://h/hook?key=***&zone=a&access_token=***#x'],
    [
      `/dca/trigger?collector=c_1&notify=${encode('{"type":"webhook","endpoint":"https://u:p@h/?sig=abc"}')}`,
      `/dca/trigger?collector=c_1&notify=${encode('{"type":"webhook","endpoint":"https://***@h/?sig=***"}')}`,
    ],
    [
      `/t?deliver=${encode('{"type":"s3","credentials":{"aws-access-key":"A","aws-secret-key":"B"},"region":"r"}')}`,
      `/t?deliver=${encode('{"type":"s3","credentials":{"aws-access-key":"***","aws-secret-key":"***"},"region":"r"}')}`,
    ],
    [
      '/t?endpoint=https%3A%2F%2Fh%2F%3Ftoken%3Dabc&format=json',
      `/t?endpoint=${encode('https://h/?token=***')}&format=json`,
    ],
    ['/t?webhook_header_Authorization=Bearer%20abc', '/t?webhook_header_Authorization=***'],
    [
      '{"zone":"a","password":"b","pins":{"secret":[1,"x",true]}}',
      '{"zone":"a","password":"***","pins":{"secret":["***","***",true]}}',
    ],
    ['cut off: {"zone":"a","password":"b', 'cut off: {"zone":"a","password":"***"'],
    ['Authorization: Basic dXNlcjpwYXNzMQ==, Accept: */*', 'Authorization: ***, Accept: */*'],
    ['authorization: sesame', 'authorization: ***'],
    ['use Bearer abc123def please', 'use Bearer *** please'],
    ['use Basic dXNlcjpwYXNzMQ== please', 'use Basic *** please'],
  ])('%s', (text, expected) => {
    expect(byName(text)).toBe(expected);
  });

  test.each([
    'https://h:8080/zone/ips?zone=checkout&country=us',
    '{ "ips": [1.0, "192.0.2.10"], "logs": 1000 }',
    'Bearer authentication is required, your token has expired',
    '/t?data=%7B%22a%22%3A1%7D&broken=%E0%A4%A',
    'mail me@example.com',
  ])('leaves %s alone', (text) => {
    expect(byName(text)).toBe(text);
  });

  test('once is enough', () => {
    fc.assert(fc.property(fc.webUrl({ withQueryParameters: true }), (url) => byName(byName(url)) === byName(url)));
    fc.assert(fc.property(fc.json(), (json) => byName(byName(json)) === byName(json)));
  });

  test('names of what is not secret', () => {
    const open = ['zone', 'customer', 'whitelist_ips', 'keyword', 'country', 'endpoint', 'bucket', 'author', 'count'];
    expect(open.filter(isSecretName)).toEqual([]);
  });

  test.each([
    'a',
    'a-',
    '%',
    '%20',
    '://',
    '"',
    'a=',
    '{"a":',
    'bearer ',
  ])('a megabyte of %j is no trouble', (piece) => {
    expect(byName(piece.repeat(1_000_000 / piece.length))).not.toBe('');
  });

  test('JSON of any depth is no way around it', () => {
    const deep = `${'['.repeat(5000)}{"password":"hunter22"}${']'.repeat(5000)}`;
    expect(byName(deep)).not.toContain('hunter22');
  });
});

/** Undoes the layers of encoding, so that what they hid can be looked for. */
function fullyDecoded(text: string): string {
  const once = decodeURIComponent(text).replaceAll('\\', '');
  return once === text ? text : fullyDecoded(once);
}
