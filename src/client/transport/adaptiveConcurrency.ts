/**
 * Limits on the calls of one client. The service does not publish its limits, so the client finds them: it allows one more call at a time
 * after every window of successes and half as many after a 429 (additive increase, multiplicative decrease). If that does not help, it also
 * limits the calls a second.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { ServiceError } from '../errors.ts';
import { type Attempt, RatePace } from './ratePace.ts';
import { type PauseOptions, RequestedPauses } from './requestedPauses.ts';

export interface ConcurrencyOptions {
  /** Concurrent calls at the start. Default 8. */
  initial?: number;
  /** Maximum of concurrent calls. Default 32. */
  max?: number;
  /**
   * Reduces concurrency after a 429, and delays all calls by a `Retry-After`. Default true. False is for callers with a schedule of their
   * own.
   */
  adaptive?: boolean;
}

export const defaultConcurrency: Required<ConcurrencyOptions> = { initial: 8, max: 32, adaptive: true };

interface AdaptiveConcurrency {
  /** Runs the task when a slot is free. Rejects with the signal's reason if aborted before the task begins. */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Current maximum of concurrent tasks. */
  readonly limit: number;
}

export function adaptiveConcurrency(
  { initial, max, adaptive }: Required<ConcurrencyOptions>,
  pauseOptions: PauseOptions = {},
): AdaptiveConcurrency {
  const limit = pLimit(initial);
  let successes = 0;
  let decreases = 0;
  const pace = new RatePace();
  const pauses = new RequestedPauses(pauseOptions);

  function waitMs(): number {
    return Math.max(pauses.leftMs(), adaptive ? pace.waitMs(performance.now()) : 0);
  }

  async function resumed(signal?: AbortSignal): Promise<void> {
    for (let wait = waitMs(); wait > 0; wait = waitMs()) {
      pauses.report();
      await sleep(wait, undefined, { signal });
    }
  }

  function onSuccess(): void {
    successes += 1;
    if (successes < limit.concurrency) return;
    successes = 0;
    limit.concurrency = Math.min(limit.concurrency + 1, max);
  }

  function onFailure(error: unknown, attempt: Attempt, decreasesBefore: number): void {
    if (!(error instanceof ServiceError)) return;
    pauses.add(error.retryAfterMs ?? 0);
    if (error.code !== 'rate-limited') return;
    if (!error.retryAfterMs) pauses.reportLimit();
    pace.rejected(attempt, performance.now());
    // Calls that ran together report the same congestion, so it counts once.
    if (decreasesBefore !== decreases) return;
    decreases += 1;
    successes = 0;
    limit.concurrency = Math.max(Math.floor(limit.concurrency / 2), 1);
  }

  async function observed<T>(task: () => Promise<T>): Promise<T> {
    const decreasesBefore = decreases;
    const attempt = pace.begin(performance.now(), limit.activeCount === 1);
    try {
      const value = await task();
      onSuccess();
      return value;
    } catch (error) {
      onFailure(error, attempt, decreasesBefore);
      throw error;
    }
  }

  return {
    run: (task, signal) =>
      unlessAborted(signal, (begin) =>
        limit(async () => {
          signal?.throwIfAborted();
          if (waitMs() > 0) await resumed(signal);
          return begin(() => (adaptive ? observed(task) : task()));
        }),
      ),
    get limit() {
      return limit.concurrency;
    },
  };
}

/** Rejects immediately if aborted before `begin`. After that, the task itself handles the signal. */
function unlessAborted<T>(
  signal: AbortSignal | undefined,
  start: (begin: (task: () => Promise<T>) => Promise<T>) => Promise<T>,
): Promise<T> {
  if (signal === undefined) return start((task) => task());
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    const begin = (task: () => Promise<T>) => {
      signal.removeEventListener('abort', onAbort);
      return task();
    };
    start(begin).then(resolve, reject);
  });
}
