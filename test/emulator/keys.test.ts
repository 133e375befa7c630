import { describe, expect, test } from 'vitest';
import { get, send, small, start } from './helpers.ts';

const routes = ['/zone/ips?zone=checkout', '/zone/recent_ips?zones=*', '/api/checkout/get_asn'];

describe('API keys', () => {
  test.each([
    ['no key', undefined, 'Authentication required: send Authorization: Bearer <API_KEY>'],
    ['another scheme', 'Basic abc', 'Authentication required: the Authorization header is not Bearer <API_KEY>'],
    ['a key that is not one', 'Bearer nothing', 'Authentication failed: the API key is not valid'],
  ])('%s is refused with 401 on every call', async (_what, authorization, text) => {
    const { apiUrl } = await start();
    for (const route of routes) {
      const received = await send('GET', `${apiUrl}${route}`, { headers: authorization ? { authorization } : {} });
      expect(received).toMatchObject({ status: 401, text });
      expect(received.headers.get('content-type')).toMatch('text/plain');
    }
    const post = await send('POST', `${apiUrl}/zone/ips/migrate`, {
      headers: authorization ? { authorization } : {},
      json: {},
    });
    expect(post.status).toBe(401);
  });

  test('a date lets the key work until that day has passed', async () => {
    let now = new Date('2026-03-01T23:59:59Z');
    const emulator = await start(
      {
        ...small,
        users: ['omar'],
        apiKeys: [{ user: 'omar', permission: 'Ops', expiration: '2026-03-01', value: 'omars-key' }],
      },
      { clock: () => now },
    );
    expect(emulator.keys.ops).toBe('omars-key');
    expect((await get(emulator, '/zone/ips?zone=checkout', 'omars-key')).status).toBe(200);
    now = new Date('2026-03-02T00:00:00Z');
    expect(await get(emulator, '/zone/ips?zone=checkout', 'omars-key')).toMatchObject({
      status: 401,
      text: 'Authentication failed: the API key has expired',
    });
  });

  test('a refreshed key stops at once and its new value works', async () => {
    const emulator = await start();
    const old = emulator.keys.user;
    const fresh = emulator.refreshKey('user');
    expect(emulator.keys.user).toBe(fresh);
    expect((await get(emulator, '/zone/ips?zone=checkout', old)).status).toBe(401);
    expect((await get(emulator, '/zone/ips?zone=checkout', fresh)).status).toBe(200);
  });

  test('every role has a key, all different, and new ones at each start', async () => {
    const [one, other] = [await start(), await start()];
    expect(Object.keys(one.keys)).toEqual(['admin', 'finance', 'ops', 'limit', 'user']);
    expect(new Set([...Object.values(one.keys), ...Object.values(other.keys)]).size).toBe(10);
  });
});

test('the roles that may not read zones are those of the dialect', async () => {
  const strict = await start({ ...small, dialect: { rolesWithoutReads: ['User'] } });
  for (const route of routes) {
    expect((await get(strict, route, strict.keys.finance)).status).toBe(200);
    expect((await get(strict, route, strict.keys.user)).status).toBe(403);
  }
});
