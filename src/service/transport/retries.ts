/** Sends again what may be sent again: after a fault that passes, and only where the request cannot have had an effect. */
import pRetry from 'p-retry';
import { maySendAgain, type Repeats } from './resend.ts';

export interface RetryOptions {
  /** How often a request is sent again. Default 3. */
  retries?: number;
  /** The wait before the first time, in milliseconds, doubled each time. Default 300. */
  minDelayMs?: number;
  /** Whether each wait is stretched by a random factor of 1 to 2. Default true. */
  jitter?: boolean;
  /** The longest such wait, in milliseconds. Default 30000. */
  maxDelayMs?: number;
  /** The longest wait that a `Retry-After` is granted, in milliseconds. Default 60000. */
  maxRetryAfterMs?: number;
}

/** For reads: a person is waiting for a plan. */
export const defaultRetry: Required<RetryOptions> = {
  retries: 3,
  minDelayMs: 300,
  jitter: true,
  maxDelayMs: 30_000,
  maxRetryAfterMs: 60_000,
};

/** The 1, 2 and 4 s that the specification names for a trigger (section "Errors"). */
export const triggerRetry = { retries: 3, minDelayMs: 1000, jitter: false } satisfies RetryOptions;

/**
 * Runs `attempt` (it gets its number, from 1) until it succeeds or fails for good. Rejects with its last error, or with
 * the signal's reason when aborted between two attempts.
 */
export async function withRetries<T>(
  attempt: (number: number) => Promise<T>,
  { retries, minDelayMs, jitter, maxDelayMs }: Required<RetryOptions>,
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
      shouldRetry: ({ error }) => maySendAgain(error, repeats),
      signal,
    });
  } catch (error) {
    // p-retry lets an abort outrank what became of the attempt; but a write that was sent must not pass for one that was not.
    const latest = attempts.at(-1) ?? Promise.reject(error);
    return latest.catch((last: unknown) => {
      throw maySendAgain(last, 'without-effect') ? error : last;
    });
  }
}
