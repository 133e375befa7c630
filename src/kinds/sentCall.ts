/** A call that was sent, with everything that is known about its effect. */
import type { Seen } from './context.ts';

export interface SentCall<C> {
  call: C;
  /** ISO 8601, in UTC, as are all times below. */
  sentAt: string;
  answered?: { at: string; count?: number };
  failed?: { at: string; code: string; message: string; effect: 'none' | 'unknown' };
  /** The last read-back; `final` if a later run looked when the call could no longer take effect. */
  seen?: Seen & { at: string; final?: boolean };
}

/**
 * `done`: read back, and as intended. `accepted`: answered in full, but not read back or not visible yet. `partly`: some of it took
 * effect. `refused`: it had no effect. `unknown`: it was sent, and its effect is not known.
 */
export type CallOutcome = 'done' | 'accepted' | 'partly' | 'refused' | 'unknown';

/** The outcome of a call that takes effect as a whole, as soon as it is answered. */
export function settledOutcome({ answered, failed, seen }: SentCall<unknown>): CallOutcome {
  if (seen && 'took' in seen) return seen.took ? 'done' : failed?.effect === 'none' ? 'refused' : 'partly';
  if (failed) return failed.effect === 'none' ? 'refused' : 'unknown';
  return answered ? 'accepted' : 'unknown';
}

/** The effect of such a call: all of it, unless it had none. */
export function settledEffect<C>(sent: SentCall<C>): C | undefined {
  return ['done', 'accepted'].includes(settledOutcome(sent)) ? sent.call : undefined;
}
