/** Polls for a result until it is available or the maximum wait is over. */
import { setTimeout as sleep } from 'node:timers/promises';
import { failing, ServiceError, type ServiceErrorCode, unusable } from '../../../errors.ts';
import type { CallOptions } from '../../../transport/transport.ts';
import type { ResultOutcome, Unfinished } from './openResult.ts';

export interface PollOptions {
  /** Interval between two polls in milliseconds, at most an hour. Default 5000, as the specification suggests. */
  pollMs?: number | undefined;
  /** Maximum wait in milliseconds, at most 30 days. Default a day. */
  maxWaitMs?: number | undefined;
  /** Called after each poll that found no result. */
  onProgress?: ((progress: PollProgress) => void) | undefined;
}

export interface PollProgress {
  /** Id of the job or snapshot. */
  id: string;
  /** Counted from 1. */
  polls: number;
  waitedMs: number;
  /** Time until the next poll in milliseconds; zero or less if the maximum wait is over. */
  nextMs: number;
  /** The service's message beyond "building", or the reason why a poll failed. */
  said?: string;
}

interface Polled extends PollOptions, Pick<CallOptions, 'signal'> {
  id: string;
  /** Polled URL, for errors. */
  url: string;
  /** Advice after an abort or after the maximum wait. */
  fix: string;
  /** Time of the trigger. If the service accepted one, an unreachable address is a transient failure from the first poll on. */
  triggeredAt?: Date | undefined;
}

export const pollBoundsMs = { least: 1, most: 60 * 60_000, default: 5000 };
export const maxWaitBoundsMs = { least: 1, most: 30 * 24 * 60 * 60_000, default: 24 * 60 * 60_000 };

/**
 * Returns the result of `ask`. Transient failures (5xx, 429, a lost connection) do not end the wait for a billed job before the maximum
 * wait. `Retry-After` extends the interval and never shortens it.
 * @throws ServiceError of `ask`; `max-wait-reached`; `aborted` between two polls
 */
export async function pollUntilReady<T>(ask: () => Promise<ResultOutcome<T>>, polled: Polled): Promise<T> {
  const { id, url, fix, onProgress, signal, triggeredAt } = polled;
  const pollMs = bounded('pollMs', polled.pollMs, pollBoundsMs, url);
  const maxWaitMs = bounded('maxWaitMs', polled.maxWaitMs, maxWaitBoundsMs, url);
  const fail = failing({ method: 'GET', url, read: true }, { aborted: fix, 'max-wait-reached': fix });
  const started = performance.now();
  for (let polls = 1; ; polls += 1) {
    const asked = await ask().catch((error: unknown) => passing(error, triggeredAt !== undefined || polls > 1));
    if ('found' in asked) return asked.found;
    const { said, retryAfterMs = 0 } = asked.unfinished;
    const waitedMs = performance.now() - started;
    // Timers drop parts of milliseconds, and may end one early: without the added one, a poll would come just before the end.
    const leftMs = maxWaitMs - waitedMs;
    const nextMs = Math.min(Math.max(pollMs, retryAfterMs), pollBoundsMs.most, Math.ceil(leftMs) + 1);
    onProgress?.({ id, polls, waitedMs, nextMs, ...(said === undefined ? {} : { said }) });
    const count = `${polls} ${polls === 1 ? 'poll' : 'polls'}`;
    if (leftMs <= 0) {
      const what = `has no result after the maximum wait of ${durationText(maxWaitMs)} (${count})`;
      throw fail('max-wait-reached', what, { said: said ?? 'still building', cause: asked.cause });
    }
    await sleep(nextMs, undefined, { signal }).catch((cause: unknown) => {
      throw fail('aborted', `was aborted after ${count}, while still building`, { cause });
    });
  }
}

/** Converts a transient failure to an outcome without a result. @throws the error if it is not transient */
function passing(error: unknown, isReachable: boolean): { unfinished: Unfinished; cause: unknown } {
  if (!(error instanceof ServiceError) || !error.transient || !passingCodes.has(error.code)) throw error;
  if (error.code === 'unreachable' && !isReachable) throw error;
  const { message, retryAfterMs } = error;
  return { unfinished: { said: message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }, cause: error };
}

/** Codes of transient failures. An answer that breaks off is not one: the transport has retried it already, and it may be the result. */
const passingCodes: ReadonlySet<ServiceErrorCode> = new Set([
  'rate-limited',
  'server-error',
  'timed-out',
  'connection-lost',
  'unreachable',
]);

type Bounds = typeof pollBoundsMs;

function bounded(name: string, value: number | undefined, { least, most, ...bounds }: Bounds, url: string): number {
  if (value === undefined) return bounds.default;
  if (value >= least && value <= most) return value;
  throw unusable('refused', url, `${name} is ${value}`, `Set it in milliseconds, from ${least} to ${most}.`);
}

/** Formats a duration in the largest unit that divides it: `1d`, `90m`, `1500ms`. */
function durationText(ms: number): string {
  const unit = units.find(([, size]) => ms % size === 0);
  return unit === undefined ? `${ms}ms` : `${ms / unit[1]}${unit[0]}`;
}

const units: [string, number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
];
