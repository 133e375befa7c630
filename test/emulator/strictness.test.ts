/** What the service refuses or keeps by the specification, whichever client asks. */
import { describe, expect, test } from 'vitest';
import type { AccountInput } from '../../src/emulator/index.ts';
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
