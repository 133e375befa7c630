/** When runs begin and end: a run in place of another, the longest time, and limits. */
import { describe, expect, test } from 'vitest';
import type { AccountInput, Emulator } from '../../src/emulator/index.ts';
import { get, send, start } from './helpers.ts';
import { receiver } from './receiver.ts';
import { movedClock, shop, started, trigger } from './runs.ts';

const account: AccountInput = {
  id: 'hl_example',
  collectors: {
    c_prices: { seconds: 10, row: { title: 'Item {n}' }, rows: 10 },
    c_reviews: { seconds: 30, row: { title: 'Review {n}' } },
  },
  datasets: { gd_companies: { seconds: 10 } },
};

const now = 'queue_next=1';

/** An emulator on a clock that stands still, and what its runs look like from outside. */
async function open(more: Partial<AccountInput> = {}) {
  const { clock, pass } = movedClock();
  const emulator = await start({ ...account, ...more }, { clock });
  const began = clock().getTime();
  /** In how many seconds after the beginning a run starts that is triggered now. */
  const startOf = async (query: string) => {
    const { start_eta } = (await trigger(emulator, query)).body as { start_eta: string };
    return (Date.parse(start_eta) - began) / 1000;
  };
  const dataset = async (id: string) => (await get(emulator, `/dca/dataset?id=${id}`)).body;
  const states = () => emulator.runs().map(({ state }) => state);
  return { emulator, pass, startOf, dataset, states };
}

describe('a run that cancels the one under way', () => {
  test('starts at once, and the other has an empty result', async () => {
    const { emulator, pass, startOf, dataset, states } = await open();
    const cancelled = await started(emulator, `collector=c_reviews`);
    const other = await started(emulator, 'collector=c_prices');
    pass(4);
    expect(await startOf('collector=c_reviews&cancel_running=1')).toBe(4);
    expect(states()).toEqual(['cancelled', 'building', 'building']);
    expect(await dataset(cancelled)).toEqual([]);
    pass(30);
    expect(await dataset(cancelled)).toEqual([]);
    expect(await dataset(other)).toHaveLength(10);
    expect(await dataset(emulator.runs()[2]?.id ?? '')).toHaveLength(2);
  });

  test('stops all deliveries of the cancelled run', async () => {
    const hook = await receiver(200);
    const { emulator } = await open();
    const setting = JSON.stringify({ type: 'webhook', endpoint: hook.url });
    const query = new URLSearchParams({ collector: 'c_prices', notify: setting, deliver: setting });
    await started(emulator, `${query}`);
    await started(emulator, 'collector=c_prices&cancel_running=1');
    await expect
      .poll(() => emulator.deliveries())
      .toMatchObject([
        { carries: 'result', state: 'not-sent', attempts: [] },
        { carries: 'notification', state: 'not-sent', attempts: [] },
      ]);
    expect(hook.received).toEqual([]);
  });
});

describe('the longest time of a run', () => {
  test.each([
    ['4s', 4],
    ['1m', 10],
    ['0s', 0],
  ])('of %s ends it after %i s', async (time, seconds) => {
    const { emulator, pass, dataset } = await open();
    const id = await started(emulator, `collector=c_prices&deadline=${time}`);
    if (seconds > 0) {
      pass(seconds - 1);
      expect(await dataset(id)).toEqual({ status: 'building' });
      pass(1);
    }
    expect(await dataset(id)).toHaveLength(10);
    expect(emulator.runs()).toMatchObject([{ state: 'ready' }]);
  });
});

test('a run has the name that its trigger gave it', async () => {
  const { emulator } = await open();
  const id = await started(emulator, 'collector=c_prices&name=Daily%20prices');
  expect(emulator.runs()).toEqual([{ id, of: 'c_prices', name: 'Daily prices', state: 'building' }]);
});

describe('limits', () => {
  const snapshot = (emulator: Emulator) =>
    send('POST', `${emulator.apiUrl}/datasets/v3/trigger?dataset_id=gd_companies`, {
      key: emulator.keys.user,
      json: shop,
    });

  test('per collector: further triggers are refused in plain text and start nothing', async () => {
    const { emulator, pass } = await open({ maxConcurrent: { collector: 1 } });
    await started(emulator, `collector=c_prices&${now}`);
    const refused = await trigger(emulator, `collector=c_prices&${now}`);
    expect(refused).toMatchObject({ status: 429, text: 'Too many concurrent jobs: c_prices has 1 active' });
    expect(refused.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect((await trigger(emulator, `collector=c_reviews&${now}`)).status).toBe(200);
    expect(emulator.runs()).toHaveLength(2);
    pass(10);
    expect((await trigger(emulator, `collector=c_prices&${now}`)).status).toBe(200);
  });

  test('of the account: collectors and datasets together', async () => {
    const { emulator, pass } = await open({ maxConcurrent: { account: 2 } });
    await started(emulator, `collector=c_prices&${now}`);
    expect((await snapshot(emulator)).status).toBe(200);
    const text = 'Too many concurrent jobs: the account has 2 active';
    expect(await snapshot(emulator)).toMatchObject({ status: 429, text });
    expect(await trigger(emulator, `collector=c_reviews&${now}`)).toMatchObject({ status: 429, text });
    pass(10);
    expect((await snapshot(emulator)).status).toBe(200);
  });

  test('do not apply to a run that cancels another run', async () => {
    const { emulator, startOf } = await open({ maxConcurrent: { collector: 1 } });
    await startOf('collector=c_prices');
    expect(await startOf(`collector=c_prices&cancel_running=1`)).toBe(0);
    expect(emulator.runs().map(({ state }) => state)).toEqual(['cancelled', 'building']);
  });
});
