/** What goes out of a batch, and in which order, by what its trigger says: the four combinations of `notify` and `deliver` (Events, 1). */
import { describe, expect, test } from 'vitest';
import type { AccountInput, Emulator } from '../../src/emulator/index.ts';
import { get, start } from './helpers.ts';
import { type Hook, type HookAnswer, jsonOf, receiver } from './receiver.ts';
import { movedClock, started } from './runs.ts';

const delivery = { attempts: 4, firstDelayMs: 40, acknowledgeMs: 10_000 };

/** Its collector builds for ten seconds and, where `usual` is given, has a delivery of its own. */
const accountWith = (usual: Hook | undefined, acknowledgeMs: number): AccountInput => ({
  id: 'hl_example',
  collectors: {
    c_prices: {
      seconds: 10,
      row: { title: 'Item {n}' },
      ...(usual && { deliver: { type: 'webhook', endpoint: usual.url } }),
    },
  },
  dialect: { delivery: { ...delivery, acknowledgeMs } },
});

interface Said {
  notify?: Hook;
  deliver?: Hook;
  usual?: Hook;
  acknowledgeMs?: number;
}

/** Triggers a run, lets it build without anything being sent, and then be ready. */
async function runWith({
  notify,
  deliver,
  usual,
  acknowledgeMs = delivery.acknowledgeMs,
}: Said): Promise<{ emulator: Emulator; id: string; readyAt: number }> {
  const { clock, pass } = movedClock();
  const emulator = await start(accountWith(usual, acknowledgeMs), { clock });
  const query = new URLSearchParams({ collector: 'c_prices', queue_next: '1' });
  if (notify) query.set('notify', JSON.stringify({ type: 'webhook', endpoint: notify.url }));
  if (deliver) query.set('deliver', JSON.stringify({ type: 'webhook', endpoint: deliver.url }));
  const id = await started(emulator, `${query}`);
  pass(9);
  await get(emulator, `/dca/dataset?id=${id}`);
  for (const hook of [notify, deliver, usual]) expect(hook?.received ?? []).toEqual([]);
  pass(1);
  return { emulator, id, readyAt: performance.now() };
}

async function states(emulator: Emulator): Promise<[string, string, unknown[]][]> {
  await expect.poll(() => emulator.deliveries().every(({ state }) => state !== 'waiting')).toBe(true);
  return emulator.deliveries().map(({ carries, state, attempts }) => [carries, state, attempts]);
}

const delivered = (carries: string) => [carries, 'delivered', [200]];

describe('without notify and deliver', () => {
  test('the default delivery of the collector applies, and nobody is notified', async () => {
    const usual = await receiver(200);
    const { emulator, id } = await runWith({ usual });
    expect(await states(emulator)).toEqual([delivered('result')]);
    expect(usual.received.map(jsonOf)).toEqual([(await get(emulator, `/dca/dataset?id=${id}`)).body]);
  });

  test('nothing is sent for a collector that has none', async () => {
    const { emulator } = await runWith({});
    expect(emulator.deliveries()).toEqual([]);
  });
});

describe('with notify alone', () => {
  test('the notification is sent when the job completes', async () => {
    const notify = await receiver(200);
    const { emulator, id, readyAt } = await runWith({ notify });
    expect(await states(emulator)).toEqual([delivered('notification')]);
    expect(notify.received.map(jsonOf)).toEqual([{ collection_id: id, status: 'ready' }]);
    expect(notify.received[0]?.at).toBeGreaterThan(readyAt);
  });

  test('it does not wait for the default delivery of the collector', async () => {
    const acknowledged = Promise.withResolvers<number>();
    const [notify, usual] = [await receiver(200), await receiver(acknowledged.promise)];
    const { emulator } = await runWith({ notify, usual });
    await expect.poll(() => notify.received.length).toBe(1);
    acknowledged.resolve(200);
    expect(await states(emulator)).toEqual([delivered('result'), delivered('notification')]);
  });
});

test('with deliver alone the result goes there, in place of the default delivery, and nobody is notified', async () => {
  const [deliver, usual] = [await receiver(200), await receiver(200)];
  const { emulator, id } = await runWith({ deliver, usual });
  expect(await states(emulator)).toEqual([delivered('result')]);
  expect(deliver.received.map(jsonOf)).toEqual([(await get(emulator, `/dca/dataset?id=${id}`)).body]);
  expect(usual.received).toEqual([]);
});

describe('with both', () => {
  test('the notification is sent after the result was acknowledged', async () => {
    const [notify, deliver] = [await receiver(200), await receiver({ status: 200, afterMs: 150 })];
    const { emulator } = await runWith({ notify, deliver });
    expect(await states(emulator)).toEqual([delivered('result'), delivered('notification')]);
    const [answeredAt = 0, notifiedAt = 0] = [deliver.received[0]?.answeredAt, notify.received[0]?.at];
    expect(notifiedAt).toBeGreaterThan(answeredAt);
  });

  test.each<[string, HookAnswer[], unknown[]]>([
    ['that answers 500 twice', [500, 500, 200], [500, 500, 200]],
    ['that answers later than the time to acknowledge', [{ status: 200, afterMs: 4500 }, 200], ['timeout', 200]],
    ['that resets the connection', ['reset', 'reset', 200], ['unreachable', 'unreachable', 200]],
  ])('the notification waits for an endpoint %s', async (_, answers, attempts) => {
    const [notify, deliver] = [await receiver(200), await receiver(...answers)];
    const { emulator } = await runWith({ notify, deliver, acknowledgeMs: 3000 });
    expect(await states(emulator)).toEqual([['result', 'delivered', attempts], delivered('notification')]);
    const times = deliver.received.map(({ at }) => at);
    expect(notify.received[0]?.at).toBeGreaterThan(times.at(-1) ?? 0);
    // Each time after twice the wait of the time before.
    times.slice(1).forEach((at, index) => {
      expect(at - (times[index] ?? 0)).toBeGreaterThan(delivery.firstDelayMs * 2 ** index - 5);
    });
    expect(new Set(deliver.received.map((call) => JSON.stringify(jsonOf(call)))).size).toBe(1);
  });

  test.each<[string, HookAnswer, unknown]>([
    ['that never answers 200', 503, 503],
    ['that never answers', 'silence', 'timeout'],
  ])('the delivery to an endpoint %s is given up, and the notification is never sent', async (_, answer, attempt) => {
    const [notify, deliver] = [await receiver(200), await receiver(answer)];
    const { emulator } = await runWith({ notify, deliver, acknowledgeMs: answer === 'silence' ? 100 : 10_000 });
    expect(await states(emulator)).toEqual([
      ['result', 'given-up', Array.from({ length: 4 }, () => attempt)],
      ['notification', 'not-sent', []],
    ]);
    expect(notify.received).toEqual([]);
  });

  test('a notification is repeated like a delivery', async () => {
    const [notify, deliver] = [await receiver(500, 200), await receiver(200)];
    const { emulator } = await runWith({ notify, deliver });
    expect(await states(emulator)).toEqual([delivered('result'), ['notification', 'delivered', [500, 200]]]);
    expect([deliver.received.length, notify.received.length]).toEqual([1, 2]);
  });
});

test('a delivery to anything but a webhook is withheld, and the notification is still sent', async () => {
  const hook = await receiver(200);
  const emulator = await start(accountWith(undefined, delivery.acknowledgeMs));
  const deliver = JSON.stringify({ type: 's3', bucket: 'results', credentials: { 'aws-secret-key': 'a-secret' } });
  const notify = JSON.stringify({ type: 'webhook', endpoint: hook.url });
  const id = await started(emulator, `${new URLSearchParams({ collector: 'c_prices', deliver, notify })}`);
  emulator.finishRun(id);
  await expect.poll(() => states(emulator)).toEqual([['result', 'withheld', []], delivered('notification')]);
  expect(hook.received.map(jsonOf)).toEqual([{ collection_id: id, status: 'ready' }]);
});

test('an email notification is withheld', async () => {
  const emulator = await start(accountWith(undefined, delivery.acknowledgeMs));
  await started(emulator, `${new URLSearchParams({ collector: 'c_prices', notify: '{"type":"email"}' })}`);
  expect(await states(emulator)).toEqual([['notification', 'withheld', []]]);
});
