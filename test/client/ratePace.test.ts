/** A service that accepts some calls a second and answers 429 to the others. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';

// Only the timers of the global object can be faked.
vi.mock('node:timers/promises', () => ({
  setTimeout: (ms: number) => new Promise<void>((done) => void setTimeout(done, ms)),
}));
// Test files share their modules: these are loaded anew with the mock, and again without it for the files that follow.
vi.resetModules();
const { failing } = await import('../../src/client/errors.ts');
const { adaptiveConcurrency, defaultConcurrency } = await import('../../src/client/transport/adaptiveConcurrency.ts');
const { RatePace } = await import('../../src/client/transport/ratePace.ts');
const { defaultRetry, withRetries } = await import('../../src/client/transport/retries.ts');
afterAll(() => void vi.resetModules());

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** Accepts at most `perSecond` calls in any second, each after `callMs`. */
function limitedService(perSecond: number, callMs: number) {
  const accepted: number[] = [];
  let rejected = 0;
  const refusal = failing({ method: 'GET', url: 'http://x', read: true }, {});
  return {
    rejected: () => rejected,
    async call() {
      await sleep(callMs / 2);
      const now = performance.now();
      const isAccepted = accepted.filter((at) => at > now - 1000).length < perSecond;
      if (isAccepted) accepted.push(now);
      else rejected += 1;
      await sleep(callMs / 2);
      if (!isAccepted) throw refusal('rate-limited', 'was answered 429');
    },
  };
}

test('sends as many calls a second as the service accepts, after it was told so once', async () => {
  const { call, rejected } = limitedService(20, 50);
  const concurrency = adaptiveConcurrency(defaultConcurrency);
  const start = performance.now();
  const calls = Array.from({ length: 80 }, () => withRetries(() => concurrency.run(call), defaultRetry, undefined));
  await Promise.all([...calls, vi.runAllTimersAsync()]);
  // The best schedule sends 20 calls at 0, 1, 2 and 3 s.
  expect(performance.now() - start).toBeLessThan(4500);
  expect(rejected()).toBeLessThan(30);
});

test('a rejection of calls that ran together, or after a second without an accepted one, sets no pace', () => {
  const pace = new RatePace();
  const together = [pace.begin(0, false), pace.begin(0, false)];
  for (const attempt of together) pace.rejected(attempt, 10);
  expect(pace.waitMs(10)).toBe(0);
  pace.begin(20, true);
  pace.rejected(pace.begin(2000, true), 2010);
  expect(pace.waitMs(2010)).toBe(0);
});

test('the pace is the number of accepted calls, and grows after ten seconds without a rejection', () => {
  const pace = new RatePace();
  for (let call = 0; call < 10; call += 1) pace.begin(call, true);
  pace.rejected(pace.begin(500, true), 510);
  expect(pace.waitMs(600)).toBe(425);
  expect(pace.waitMs(1030)).toBe(0);
  for (let call = 0; call < 10; call += 1) pace.begin(12_000, true);
  expect(pace.waitMs(12_000)).toBe(0);
  pace.begin(12_000, true);
  expect(pace.waitMs(12_000)).toBe(1025);
});
