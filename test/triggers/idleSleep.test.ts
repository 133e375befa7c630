/** The sleep of an idle worker: it lasts, unless something changes that a round has to see. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Database } from '../../src/triggers/store/database.ts';
import { openStore } from '../../src/triggers/store/open.ts';
import { createIdleSleep } from '../../src/triggers/worker/idleSleep.ts';

const minute = 60_000;

/** Time stands still from then on. Until the store is open it does not, because work of earlier tests on other stores may come first. */
async function newStore() {
  const folder = mkdtempSync(join(tmpdir(), 'wd-idle-'));
  const file = join(folder, 'store.db');
  const [database, other] = [await openStore(file), await openStore(file)];
  onTestFinished(async () => {
    await database.close();
    await other.close();
    rmSync(folder, { recursive: true, force: true });
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  return { database, other };
}

function sleeping(database: Database) {
  const idle = createIdleSleep(database);
  const seen: { woken?: boolean } = {};
  const ended = idle.sleep(minute).then((woken) => {
    seen.woken = woken;
  });
  return { idle, seen, ended };
}

const change = (database: Database) => database.query(`INSERT INTO meta (key, value) VALUES ('clock_offset', 1)`);

it('lasts as long as it may where nothing changes', async () => {
  const { seen } = sleeping((await newStore()).database);
  await vi.advanceTimersByTimeAsync(minute - 1);
  expect(seen).toEqual({});
  await vi.advanceTimersByTimeAsync(1);
  expect(seen).toEqual({ woken: false });
});

it('ends when it is woken, even before it starts', async () => {
  const { database } = await newStore();
  const { idle, ended, seen } = sleeping(database);
  idle.wake();
  await ended;
  expect(seen).toEqual({ woken: true });
  const woken = createIdleSleep(database);
  woken.wake();
  expect(await woken.sleep(minute)).toBe(true);
});

it.each([
  'database',
  'other',
] as const)('ends within a second of a change, by this process or another one: %s', async (by) => {
  const stores = await newStore();
  const { seen } = sleeping(stores.database);
  await vi.advanceTimersByTimeAsync(10_500);
  await change(stores[by]);
  expect(seen).toEqual({});
  await vi.advanceTimersByTimeAsync(1000);
  expect(seen).toEqual({ woken: false });
});

it('notices a change that came before it started', async () => {
  const { database, other } = await newStore();
  const idle = createIdleSleep(database);
  await change(other);
  const slept = idle.sleep(minute);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await slept).toBe(false);
});

it.each([
  ['set back', -5000],
  ['ahead, as after a sleep of the machine', 2 * minute],
])('ends within a second after the clock has jumped: %s', async (_, ms) => {
  const { seen } = sleeping((await newStore()).database);
  await vi.advanceTimersByTimeAsync(3500);
  vi.setSystemTime(Date.now() + ms);
  await vi.advanceTimersByTimeAsync(1000);
  expect(seen).toEqual({ woken: false });
});

it('ends within a second where a change cannot be noticed', async () => {
  const { database } = await newStore();
  const { version: _, ...withoutVersion } = database;
  const { seen } = sleeping(withoutVersion);
  await vi.advanceTimersByTimeAsync(1000);
  expect(seen).toEqual({ woken: false });
});

it('ends within a second after the store has failed', async () => {
  const { database } = await newStore();
  const { seen } = sleeping(database);
  await database.close();
  await vi.advanceTimersByTimeAsync(1000);
  expect(seen).toEqual({ woken: false });
});
