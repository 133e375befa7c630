/** Retries of transient failures, and only if the request had no effect. */
import pRetry from 'p-retry';
import { ServiceError } from '../errors.ts';

export interface RetryOptions {
  /** Maximum number of retries. Default 3. */
  retries?: number;
  /** Wait before the first retry in milliseconds, doubled for each further one. Default 300. */
  minDelayMs?: number;
  /** Multiplies each wait by a random factor of 1 to 2. Default true. */
  jitter?: boolean;
  /** Maximum wait in milliseconds. Default 30000. */
  maxDelayMs?: number;
  /** Maximum number of retries after no answer came in time. Low for servers that only a part of the work needs, so that the rest does not wait long. By default as `retries`. */
  retriesAfterTimeout?: number;
  /** Maximum wait in milliseconds that a `Retry-After` is granted. A longer one ends the call. Default 60000. */
  maxRetryAfterMs?: number;
}

/** Defaults for reads, where a user is waiting for a plan. */
export const defaultRetry: Required<RetryOptions> = {
  retries: 3,
  minDelayMs: 300,
  jitter: true,
  maxDelayMs: 30_000,
  retriesAfterTimeout: Number.POSITIVE_INFINITY,
  maxRetryAfterMs: 60_000,
};

/** Waits of 1, 2 and 4 s, which the specification prescribes for triggers (section "Errors"). */
export const triggerRetry = { retries: 3, minDelayMs: 1000, jitter: false } satisfies RetryOptions;

/**
 * Runs `attempt` with its number, from 1, until it succeeds or fails permanently. Rejects with the last error, or with the signal's
 * reason if aborted between two attempts.
 */
export async function withRetries<T>(
  attempt: (number: number) => Promise<T>,
  { retries, minDelayMs, jitter, maxDelayMs, retriesAfterTimeout, maxRetryAfterMs }: Required<RetryOptions>,
  signal: AbortSignal | undefined,
  repeats: Repeats = 'without-effect',
): Promise<T> {
  const attempts: Promise<T>[] = [];
  const tryOnce = (number: number) => {
    const outcome = attempt(number);
    attempts.push(outcome);
    return outcome;
  };
  try {
    return await pRetry(tryOnce, {
      retries,
      minTimeout: minDelayMs,
      maxTimeout: maxDelayMs,
      randomize: jitter,
      shouldRetry: ({ error, attemptNumber }) =>
        maySendAgain(error, repeats) &&
        (!isTimeout(error) || attemptNumber <= retriesAfterTimeout) &&
        requestedWaitMs(error) <= maxRetryAfterMs,
      signal,
    });
  } catch (error) {
    // p-retry prefers the abort to the attempt's result, but a write that was sent must not be reported as unsent.
    const latest = attempts.at(-1) ?? Promise.reject(error);
    return latest.catch((last: unknown) => {
      throw maySendAgain(last, 'without-effect') ? error : last;
    });
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'timed-out';
}

function requestedWaitMs(error: unknown): number {
  return error instanceof ServiceError ? (error.retryAfterMs ?? 0) : 0;
}

/** The failures after which a write is repeated: those without an effect, or also 5xx answers. */
export type Repeats = 'without-effect' | 'after-server-error';

/**
 * Returns true if the same request may be sent again after this failure. The client and the trigger service share this one rule.
 *
 * | failure                       | read  | write                | collector trigger    |
 * |-------------------------------|-------|----------------------|----------------------|
 * | nothing was sent              | again | again                | again                |
 * | 429                           | again | again                | again                |
 * | 408, 425                      | again | no: unknown          | no: unknown          |
 * | 5xx other than 501 and 505    | again | no: unknown          | again (section "Errors") |
 * | 501, 505                      | no    | no: unknown          | again (section "Errors") |
 * | lost or unreadable answer     | again | no: unknown          | no: unknown          |
 * | any other 4xx                 | no    | no                   | no                   |
 *
 * A data set trigger is a write: the specification asks for a retry after a 5xx only for /dca/trigger.
 */
export function maySendAgain(error: unknown, repeats: Repeats): boolean {
  if (!(error instanceof ServiceError)) return false;
  if (error.effect === 'none') return error.transient;
  return repeats === 'after-server-error' && (error.status ?? 0) >= 500;
}
