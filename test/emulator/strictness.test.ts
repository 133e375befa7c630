/** What the service refuses or keeps by the specification, whichever client asks. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AccountInput, Emulator } from '../../src/emulator/index.ts';
import { temporaryFolder } from '../temporary.ts';
import { get, send, small, start } from './helpers.ts';
import { shop, trigger } from './runs.ts';

const account: AccountInput = {
  ...small,
  zones: {
    home: { type: 'isp', ips: { us: ['192.0.2.50-192.0.2.59'], de: ['203.0.113.10-203.0.113.19'] } },
    shoppers: { type: 'residential' },
  },
  collectors: { c_prices: {} },
  datasets: { gd_companies: {} },
};

async function peer({ apiUrl, keys }: Emulator, more: object): Promise<string> {
  const json = { url: 'https://example.com/', format: 'raw', ...more };
  const { headers, text } = await send('POST', `${apiUrl}/request`, { key: keys.user, json });
  return headers.get('x-peer-ip') ?? text;
}

describe('a session', () => {
  test.each(['home', 'shoppers'])('of the zone %s keeps its peer, whatever else the request says', async (zone) => {
    const emulator = await start(account);
    const first = await peer(emulator, { zone, session: 'cart-1', country: 'us' });
    const others = [{}, { country: 'de' }, { country: 'us' }];
    for (const more of others) expect(await peer(emulator, { zone, session: 'cart-1', ...more })).toBe(first);
  });

  test('keeps its peer after a restart, until the zone loses the IP', async () => {
    const stateFile = join(temporaryFolder(), 'state.json');
    const before = await start(account, { stateFile });
    const first = await peer(before, { zone: 'home', session: 'cart-1', country: 'de' });
    expect(first).toMatch(/^203\.0\.113\./);
    await before.close();
    const after = await start(account, { stateFile });
    expect(await peer(after, { zone: 'home', session: 'cart-1', country: 'us' })).toBe(first);
    after.removeIps([first]);
    expect(await peer(after, { zone: 'home', session: 'cart-1' })).not.toBe(first);
  });

  test('does not change to another IP', async () => {
    const emulator = await start(account);
    expect(await peer(emulator, { zone: 'home', session: 's', ip: '192.0.2.51' })).toBe('192.0.2.51');
    expect(await peer(emulator, { zone: 'home', session: 's' })).toBe('192.0.2.51');
    expect(await peer(emulator, { zone: 'home', session: 's', ip: '192.0.2.52' })).toBe(
      'Bad request: ip: the session s goes through 192.0.2.51',
    );
  });
});

describe('a trigger', () => {
  test.each([
    ['queue_next=banana', 'queue_next is not an integer'],
    ['queue_next=', 'queue_next is not an integer'],
    ['cancel_running=maybe', 'query parameter cancel_running is not 1 or 0'],
    ['no_downloads=maybe', 'query parameter no_downloads is not 1 or 0'],
    ['version=prod', 'query parameter version is not dev'],
    ['deadline=soon', 'query parameter deadline is not a number with h, m or s'],
  ])('of a collector with %s is refused', async (query, detail) => {
    const refused = await trigger(await start(account), `collector=c_prices&${query}`);
    expect(refused).toMatchObject({ status: 400, text: `Bad request: ${detail}` });
  });

  test('of a dataset is refused if a boolean parameter is neither true nor false', async () => {
    const { apiUrl, keys } = await start(account);
    const query = 'dataset_id=gd_companies&endpoint=http://127.0.0.1:1/&uncompressed_webhook=yes';
    expect(await send('POST', `${apiUrl}/datasets/v3/trigger?${query}`, { key: keys.user, json: shop })).toMatchObject({
      status: 400,
      text: 'Bad request: uncompressed_webhook is not true or false',
    });
  });
});

test('recent IPs are asked for by one zone or *: a list of zones is an unknown zone', async () => {
  expect((await get(await start(account), '/zone/recent_ips?zones=home,shoppers')).status).toBe(404);
});
