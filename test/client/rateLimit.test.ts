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

test('all calls succeed, soon after the best schedule would have sent the last one', async () => {
  const { call, rejected } = limitedService(20, 50);
  const concurrency = adaptiveConcurrency(defaultConcurrency);
  const start = performance.now();
  const calls = Array.from({ length: 200 }, () => withRetries(() => concurrency.run(call), defaultRetry, undefined));
  await Promise.all([...calls, vi.runAllTimersAsync()]);
  // The best schedule sends 20 calls at 0, 1, … and 9 s.
  expect(performance.now() - start).toBeLessThan(25_000);
  expect(rejected()).toBeLessThan(400);
});
