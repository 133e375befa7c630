/**
 * The interface of a type of call. Each type is defined once, beside its kind: how the call is stored, compared, looked up and undone.
 * Plans and the journal go through this interface and name no type of call themselves. What reports show of it is in `callWords.ts`.
 */
import type { z } from 'zod';
import type { Problem } from '../../base/diagnostics/problem.ts';
import type { Call, CallResult, ObjectBuilder, SeenItems, SentCall } from './call.ts';
import type { PropertyChange } from './changes.ts';
import type { Context } from './context.ts';
import type { Move } from './move.ts';
import type { Note } from './notes.ts';
import type { Views } from './views.ts';

export interface CallType<C> {
  /** The value of the call's `type` field. */
  type: string;
  /** The one definition of the call's fields, with their descriptions. */
  schema(object: ObjectBuilder): z.ZodObject;
  /** Equal for two calls that have the same effect. Plan files and approvals are compared by it. */
  key(call: C): string;
  /** The concurrency key: resources whose calls have the same key are handled one after the other. */
  target(call: C): string;
  /** True if the service may charge for the call. Amounts are never stated. */
  billed: boolean;
  /** The IPs that the call moves; undefined for calls that move nothing. */
  flow(call: C): Flow | undefined;
  /** The outcome of a call that was sent, and its effect. */
  result(sent: SentCall<C>): CallResult<C>;
  /** Facts that later only the journal knows, because no read shows them. */
  facts(sent: SentCall<C>): Facts | undefined;
  /** Returns true if the live state shows that the call is needed. Other calls are not drift. */
  isObserved(call: C): boolean;
  /** Changes the views as if the call were sent, for the resources that are planned after it. */
  expect?(call: C, views: Views): void;
  /** Left out for calls whose outcome the next read of the resource shows. */
  reconcile?: ReconcileCalls<C>;
  /** The properties that the call itself changes. Empty for calls whose changes only the resource knows. */
  changes(call: C): PropertyChange[];
  /** The calls that undo an effect, and what they leave. */
  invert(effect: C): Inverse;
  /** The functions that send a call of this type as an undo. Only for types that `invert` returns. */
  undo?: UndoCall<C>;
}

export interface Inverse<C extends Call = Call> {
  /** Empty for an effect that cannot be undone. */
  calls: C[];
  /** Everything that an undo leaves unchanged, and why. */
  notes: Note[];
  /** True if nothing can ever restore the rest: then the run counts as undone without it. */
  isFinal?: true;
}

/** Finds out what became of calls of earlier runs: their answer was lost, or no read has shown their effect yet. */
export interface ReconcileCalls<C> {
  /** Returns true if the outcome of the call is still open. */
  isOpen(sent: SentCall<C>): boolean;
  /** Adds what is known of a call to the views. Called for all calls of earlier runs, in their order. Reads may be older than the call `until` then. */
  recall(sent: SentCall<C>, views: Views, until: number): void;
  /**
   * Reads until each outcome is known, or its deadline has passed. A call whose outcome cannot be
   * read is left out of the result. @throws ServiceError only if the read was aborted
   */
  lookUp(open: readonly OpenCall<C>[], views: Views, lagMs: number): Promise<ReadonlyMap<SentCall<C>, SeenItems>>;
}

export interface OpenCall<C> {
  sent: SentCall<C>;
  /** On the clock of `performance.now()`, as are all times that are waited for. */
  deadline: number;
}

/** Facts about one topic, such as `deleted ports of loopback:22999`. */
export interface Facts {
  topic: string;
  items: readonly string[];
}

/** A call that undoes another one. */
export interface UndoCall<C> {
  /** Returns what is left to undo, and what has changed since the run. Reads only. @throws ProblemError, ServiceError */
  remaining(call: C, undoing: Undoing): Promise<Remaining<C>>;
  /** Returns true if `call` may be sent together with these, before any of them is read back. */
  joins(step: readonly C[], call: C): boolean;
  /** Verifies the calls of one step again, sends them, and reads back until they are confirmed. @throws ProblemError, ServiceError */
  send(step: readonly C[], undoing: SendingUndo): Promise<void>;
}

export interface Undoing {
  context: Context;
  /** The calls of the resource that are undone, the last one first. */
  done: readonly SentCall<Call>[];
  /** Calls that were sent so recently that listings may not show their effect yet. */
  recent: readonly SentCall<Call>[];
}

export interface SendingUndo extends Undoing {
  /** The calls that are sent after this step. */
  later: readonly Call[];
  /** Reads the live state and returns the guards of the current declaration. */
  readGuards(): Promise<(calls: readonly Call[]) => Problem[]>;
}

export interface Remaining<C> {
  call?: C | undefined;
  problems: Problem[];
}

export interface Flow {
  from: string;
  to: string;
  moves: readonly Move[];
}
