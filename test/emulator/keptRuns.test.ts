/** Runs and deliveries of an emulator with a state file, after a restart. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { AccountInput } from '../../src/emulator/index.ts';
import { temporaryFile } from '../temporary.ts';
import { get, send, start } from './helpers.ts';
import { jsonOf, receiver } from './receiver.ts';
import { movedClock, shop, started } from './runs.ts';

const account: AccountInput = {
  id: 'hl_example',
  collectors: {
    c_prices: { seconds: 10, row: { title: 'Item {n}' } },
    c_reviews: { seconds: 10, row: { title: 'Review {n}' } },
  },
  datasets: { gd_companies: { row: { name: 'Company {n}' } } },
  dialect: { delivery: { attempts: 4, firstDelayMs: 1 } },
};

const day = 24 * 60 * 60;
const input = (n: number) => ({ url: `https://shop.example.com/${n}` });

test('every kind of run keeps its state and its inputs: ready, building, cancelled, of a dataset', async () => {
  const stateFile = temporaryFile('state.json');
  const { clock, pass } = movedClock();
  const first = await start(account, { stateFile, clock });
  await started(first, 'collector=c_reviews&name=first');
  await started(first, 'collector=c_reviews&cancel_running=1', [input(1)]);
  pass(10);
  const building = await started(first, 'collector=c_prices', [input(2)]);
  const url = `${first.apiUrl}/datasets/v3/trigger?dataset_id=gd_companies`;
  await send('POST', url, { key: first.keys.user, json: shop });
  const before = first.runs();
  await first.close();

  const second = await start(account, { stateFile, clock });
  expect(second.runs()).toEqual(before);
  expect(before.map(({ state }) => state)).toEqual(['cancelled', 'ready', 'building', 'ready']);
  const dataset = async (id: string) => (await get(second, `/dca/dataset?id=${id}`)).body;
  pass(10);
  expect(await dataset(building)).toEqual([{ title: 'Item 1', input: input(2) }]);
  pass(16 * day);
  expect(await dataset(building)).toEqual([]);
});

test('a waiting delivery continues with its remaining attempts, then sends its notification', async () => {
  const stateFile = temporaryFile('state.json');
  const { clock, pass } = movedClock();
  const [hook, told] = [await receiver(500, 200), await receiver(200)];
  const slow = { ...account, dialect: { delivery: { attempts: 2, firstDelayMs: 60_000 } } };
  const hasty = { ...account, dialect: { delivery: { attempts: 2, firstDelayMs: 1 } } };
  const first = await start(slow, { stateFile, clock });
  const to = (url: string) => JSON.stringify({ type: 'webhook', endpoint: `${url}/in?key=abc` });
  const query = new URLSearchParams({ collector: 'c_prices', deliver: to(hook.url), notify: to(told.url) });
  const id = await started(first, `${query}`);
  pass(10);
  await expect.poll(() => first.deliveries()[0]?.attempts).toEqual([500]);
  await first.close();
  expect(told.received).toEqual([]);

  const second = await start(hasty, { stateFile, clock });
  await expect
    .poll(() => second.deliveries())
    .toEqual([
      { run: id, carries: 'result', type: 'webhook', url: `${hook.url}/in`, state: 'delivered', attempts: [500, 200] },
      { run: id, carries: 'notification', type: 'webhook', url: `${told.url}/in`, state: 'delivered', attempts: [200] },
    ]);
  expect(hook.received.map(jsonOf)[1]).toEqual((await get(second, `/dca/dataset?id=${id}`)).body);
  await second.close();

  const third = await start(hasty, { stateFile, clock });
  expect(third.deliveries()).toEqual(second.deliveries());
  expect([hook.received.length, told.received.length]).toEqual([2, 1]);
});

test('no file contains credentials of a delivery, and no output its secrets', async () => {
  const stateFile = temporaryFile('state.json');
  const emulator = await start(account, { stateFile });
  const to = { type: 's3' as const, bucket: 'results', credentials: { 'aws-secret-key': 's3-secret-value' } };
  await started(emulator, `${new URLSearchParams({ collector: 'c_prices', deliver: JSON.stringify(to) })}`);
  expect(await readFile(stateFile, 'utf8')).not.toContain('s3-secret-value');
  const shown = [emulator.deliveries(), emulator.runs(), emulator.requests()];
  expect(JSON.stringify(shown)).not.toContain('s3-secret-value');
  const usual = await start({ ...account, collectors: { c_prices: { deliver: to } } });
  expect(JSON.stringify(usual.state())).toContain('results');
  expect(JSON.stringify(usual.state())).not.toContain('s3-secret-value');
});
