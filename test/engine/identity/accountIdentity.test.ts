/** The server of an account, whatever the spelling of the URL. */
import { expect, it } from 'vitest';
import { serverOf } from '../../../src/engine/identity/accountIdentity.ts';

const keyOf = (url: string | undefined) =>
  serverOf({ service: { url, profile: {} as never }, manager: {}, triggers: {} });

it.each([
  [
    'the scheme and its default port',
    [
      'http://a.example',
      'https://a.example',
      'http://a.example:80',
      'https://a.example:443/',
      'https://a.example:80',
      'http://a.example:443',
    ],
  ],
  ['the path and the credentials', ['https://a.example:8443', 'https://u:p@a.example:8443/v1?x=1']],
  ['upper case and a dot at the end', ['https://a.example', 'https://A.Example./']],
  [
    'the name of this machine',
    [
      ...[
        'http://localhost:1',
        'http://LOCALHOST.:1',
        'http://api.localhost:1',
        'http://0.0.0.0:1',
        'http://127.0.0.1:1',
      ],
      ...['http://127.1:1', 'http://127.1.2.3:1', 'http://127.10.20.30:1', 'http://[::1]:1', 'http://[::]:1'],
      ...['http://[::ffff:127.0.0.1]:1', 'http://[::ffff:127.255.0.0]:1'],
    ],
  ],
])('is independent of %s', (_, urls) => {
  expect(new Set(urls.map((url) => keyOf(url))).size).toBe(1);
});

it.each([
  ['hosts', 'http://a.example', 'http://b.example'],
  ['hosts with a longer name', 'http://localhost', 'http://localhost.example'],
  ['hosts whose name begins like an address', 'http://127.0.0.1.example', 'http://localhost'],
  ['hosts whose name ends like an address', 'http://x127.0.0.1', 'http://localhost'],
  ['hosts that end like this machine', 'http://mylocalhost', 'http://localhost'],
  ['addresses', 'http://128.0.0.1', 'http://127.0.0.1'],
  ['IPv6 addresses that begin like this machine', 'http://[::1:2]', 'http://[::1]'],
  ['IPv6 addresses that end like this machine', 'http://[1::1]', 'http://[::1]'],
  ['mapped addresses', 'http://[::ffff:128.0.0.1]', 'http://[::1]'],
  ['ports', 'http://a.example:8080', 'http://a.example:8081'],
])('differs by %s', (_, one, other) => {
  expect(keyOf(one)).not.toBe(keyOf(other));
});

it('is any server that is known', () => {
  expect(keyOf('https://a.example')).toBe('a.example:');
  expect(keyOf('http://127.0.0.1:22999/')).toBe('loopback:22999');
  expect(keyOf('not a URL')).toBe('not a URL');
  expect(keyOf(undefined)).toBe('');
  const servers = { service: { profile: {} as never }, manager: { url: 'http://m.example:1' } };
  expect(serverOf({ ...servers, triggers: { url: 'http://t.example:2' } })).toBe('m.example:1');
  expect(serverOf({ ...servers, manager: {}, triggers: { url: 'http://t.example:2' } })).toBe('t.example:2');
});
