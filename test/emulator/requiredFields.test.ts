/** What each call must have, and what an optional value is where it is left out. */
import { expect, test } from 'vitest';
import { parseAccount } from '../../src/emulator/index.ts';
import { get, send, start } from './helpers.ts';
import { running, shop, started } from './runs.ts';

const account = {
  ...running,
  pages: { 'https://example.com/': { body: 'Example' } },
};

const page = { zone: 'checkout', url: 'https://example.com/', format: 'raw' };
const move = { from: 'checkout', to: 'parked', ips: ['192.0.2.10'] };

/** `value` without one of its fields. */
const without = (value: Record<string, unknown>, field: string) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== field));

test.each<[field: string, method: string, path: string, json?: unknown]>([
  ...['zone', 'url', 'format'].map((field): [string, string, string, unknown] => [
    field,
    'POST',
    '/request',
    without(page, field),
  ]),
  ['collector', 'POST', '/dca/trigger', shop],
  ['id', 'GET', '/dca/dataset'],
  ['dataset_id', 'POST', '/datasets/v3/trigger', shop],
  ['zone', 'GET', '/zone/ips'],
  ['zones', 'GET', '/zone/recent_ips'],
  ...['from', 'to', 'ips'].map((field): [string, string, string, unknown] => [
    field,
    'POST',
    '/zone/ips/migrate',
    without(move, field),
  ]),
])('a call without %s is refused by its name: %s %s', async (field, method, path, json) => {
  const emulator = await start(account);
  const body = json === undefined ? {} : { json };
  const { status, text } = await send(method, `${emulator.apiUrl}${path}`, { key: emulator.keys.admin, ...body });
  expect([status, text]).toEqual([400, expect.stringMatching(new RegExp(`\\b${field}\\b`))]);
});

test('ports to delete are required', async () => {
  const { managerUrl } = await start(account);
  const { status, text } = await send('POST', `${managerUrl}/api/proxies/delete`, { json: {} });
  expect([status, text]).toEqual([400, expect.stringContaining('ports')]);
});

test('a download without a format is JSON', async () => {
  const emulator = await start(account);
  const { body } = await send('POST', `${emulator.apiUrl}/datasets/v3/trigger?dataset_id=gd_many`, {
    key: emulator.keys.user,
    json: shop,
  });
  const { snapshot_id } = body as { snapshot_id: string };
  const { headers } = await get(emulator, `/datasets/snapshots/${snapshot_id}/download`);
  expect(headers.get('content-type')).toContain('application/json');
});

test('a run of a collector has one id for all calls', async () => {
  const emulator = await start(account);
  const id = await started(emulator, 'collector=c_typed', [{ keyword: 'tea' }]);
  const downloaded = await get(emulator, `/datasets/snapshots/${id}/download?format=json`);
  expect(downloaded.body).toEqual((await get(emulator, `/dca/dataset?id=${id}`)).body);
});

test('a webhook has 30 seconds to answer', () => {
  expect(parseAccount('id: hl_example', 'account.yaml').dialect.delivery.acknowledgeMs).toBe(30_000);
});
