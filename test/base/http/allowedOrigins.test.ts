/** Which requests a server of this machine takes for those of a page from elsewhere. */
import { describe, expect, it } from 'vitest';
import { isFromPage, originViolation } from '../../../src/base/http/allowedOrigins.ts';
import { isLoopbackHost } from '../../../src/base/values/hostName.ts';

const on = (address: string) => ({ bound: { address, family: 'IPv4', port: 22_997 } });

describe('a request on loopback', () => {
  it.each([
    ['127.0.0.1:22997', undefined],
    ['localhost:22997', undefined],
    ['LOCALHOST', undefined],
    ['localhost.', undefined],
    ['[::1]:22997', undefined],
    ['127.9.9.9', undefined],
    ['0x7f.1:22997', undefined],
    ['evil.example:22997', 421],
    ['evil.example', 421],
    ['127.0.0.1.evil.example', 421],
    ['localhost.evil.example', 421],
    ['localhost@evil.example', 421],
    ['10.0.0.5:22997', 421],
    ['0.0.0.0:22997', 421],
    ['[::ffff:10.0.0.5]', 421],
    ['', 421],
    [' ', 421],
    ['a b', 421],
  ])('for the host "%s" is answered %s', (host, status) => {
    expect(originViolation({ method: 'GET', headers: { host } }, on('127.0.0.1'))?.status).toBe(status);
    expect(originViolation({ method: 'GET', headers: { host } }, on('::1'))?.status).toBe(status);
  });

  it('for a name that its proxy is asked by is taken, whatever its port and its letters', () => {
    const welcome = { ...on('127.0.0.1'), hosts: ['Triggers.Example.com'] };
    const of = (host: string) => originViolation({ method: 'GET', headers: { host } }, welcome)?.status;
    expect([of('triggers.example.com'), of('TRIGGERS.example.com:8443'), of('example.com')]).toEqual([
      undefined,
      undefined,
      421,
    ]);
  });

  it('that is not on loopback may be for any host', () => {
    const request = { method: 'GET', headers: { host: 'triggers.internal' } };
    expect(originViolation(request, on('0.0.0.0'))).toBeUndefined();
    expect(originViolation(request, on('10.0.0.5'))).toBeUndefined();
  });
});

describe('a request that may change something', () => {
  const host = '127.0.0.1:22997';
  it.each([
    [{}, undefined],
    [{ 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:22997' }, undefined],
    // A proxy may have changed the host: the browser knows better.
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://triggers.example.com' }, undefined],
    [{ 'sec-fetch-site': 'none' }, undefined],
    [{ origin: 'http://127.0.0.1:22997' }, undefined],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:22997' }, 403],
    [{ 'sec-fetch-site': '' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'http://127.0.0.1:8080' }, 403],
    [{ origin: 'null' }, 403],
  ])('with %j is answered %s', (headers, status) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const request = { method, headers: { host, ...headers } };
      expect(originViolation(request, on('127.0.0.1'))?.status).toBe(status);
    }
  });
});

it('knows what a browser sends', () => {
  expect(isFromPage({ headers: {} })).toBe(false);
  expect(isFromPage({ headers: { origin: 'null' } })).toBe(true);
  expect(isFromPage({ headers: { 'sec-fetch-site': 'same-origin' } })).toBe(true);
});

it('takes no address for loopback that is not', () => {
  expect(['127.0.0.1', '::1', '::ffff:127.0.0.1', 'a.localhost', '2130706433'].map(isLoopbackHost)).not.toContain(
    false,
  );
  expect(['0.0.0.0', '::', '128.0.0.1', 'localhost.example.com', ''].map(isLoopbackHost)).not.toContain(true);
});
