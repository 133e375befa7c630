/** The calls of all kinds, and what is known about a call that was sent. Each type of call is defined in the folder of its kind. */
import type { z } from 'zod';

/** One write request to a service, as data: plans show it, the journal holds it, undo inverts it. */
export interface Call {
  readonly type: string;
}

/** `z.strictObject` refuses unknown fields (plan files), `z.object` drops them (journal, reports). */
export type ObjectBuilder = typeof z.strictObject | typeof z.object;

/** The call that a schema describes. A call is immutable. */
export type CallOf<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>;

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** A call that was sent, with everything that is known about its effect. */
export interface SentCall<C> {
  call: C;
  /** ISO 8601, in UTC, as are all times below. */
  sentAt: string;
  answered?: { at: string; count?: number };
  failed?: { at: string; code: string; message: string; effect: 'none' | 'unknown' };
  /** The last read-back; `final` if a later run looked when the call could no longer take effect. */
  seen?: Seen & { at: string; final?: boolean };
}

/** The result of a read-back: for calls that move items, what became of each; for other calls, whether they took effect. */
export type Seen = SeenItems | { took: boolean };

export interface SeenItems {
  moved: readonly string[];
  notMoved: readonly string[];
  /** Items that are neither at their old location nor at the target of the call. */
  elsewhere: readonly string[];
  /** Items that are listed nowhere, or in two places. */
  notVisible: readonly string[];
}

/**
 * `done`: read back, and as intended. `accepted`: answered in full, but not read back or not visible yet. `partly`: some of it took
 * effect. `refused`: it had no effect. `unknown`: it was sent, and its effect is not known.
 */
export type CallOutcome = 'done' | 'accepted' | 'partly' | 'refused' | 'unknown';

export interface CallResult<C> {
  outcome: CallOutcome;
  /** The part of the call that is known to have taken effect. */
  effect: C | undefined;
}

/** Returns the result of a call that takes effect in one step, as a whole or not at all. */
export function wholeResult<C>(sent: SentCall<C>): CallResult<C> {
  const outcome = wholeOutcome(sent);
  return { outcome, effect: outcome === 'done' || outcome === 'accepted' ? sent.call : undefined };
}

function wholeOutcome({ answered, failed, seen }: SentCall<unknown>): CallOutcome {
  if (seen && 'took' in seen) return seen.took ? 'done' : failed?.effect === 'none' ? 'refused' : 'partly';
  if (failed) return failed.effect === 'none' ? 'refused' : 'unknown';
  return answered ? 'accepted' : 'unknown';
}
