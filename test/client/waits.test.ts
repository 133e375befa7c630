/** The times that the specification names: between two polls, and before a trigger is sent again. */
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ResultOutcome } from '../../src/client/areas/jobs/results/openResult.ts';
import { failing } from '../../src/client/errors.ts';
import { defaultRetry, triggerRetry, withRetries } from '../../src/client/transport/retries.ts';

const { slept } = vi.hoisted(() => ({ slept: [] as unknown[] }));
vi.mock('node:timers/promises', () => ({ setTimeout: async (ms: unknown) => void slept.push(ms) }));
// Test files share their modules: this one is loaded anew with the mock, and again without it for the files that follow.
vi.resetModules();
const { pollUntilReady } = await import('../../src/client/areas/jobs/results/pollJob.ts');
afterAll(() => void vi.resetModules());

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

test('a result is asked for every 5 seconds', async () => {
  const answers = [{ unfinished: {} }, { unfinished: {} }, { found: 'ready' }];
  const url = 'https://api.example.com/dca/dataset?id=j_1';
  const polled = { id: 'j_1', url, fix: '' };
  expect(await pollUntilReady(async () => answers.shift() as ResultOutcome<string>, polled)).toBe('ready');
  expect(slept).toEqual([5000, 5000]);
});

test('a trigger that is answered 5xx is sent again after 1, 2 and 4 seconds', async () => {
  const fail = failing({ method: 'POST', url: 'https://api.example.com/dca/trigger', read: false }, {});
  const sentAt: number[] = [];
  const attempt = async () => {
    sentAt.push(Date.now());
    throw fail('server-error', 'was answered 503', { status: 503 });
  };
  const times = { ...defaultRetry, ...triggerRetry };
  const given = expect(withRetries(attempt, times, undefined, 'after-server-error')).rejects.toThrow('503');
  await vi.runAllTimersAsync();
  await given;
  expect(sentAt).toEqual([0, 1000, 3000, 7000]);
});
