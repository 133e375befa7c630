/**
 * The interface of a type of call. Each type is defined once, beside its kind: how the call is stored, compared, counted and shown.
 * Plans, the journal and every report go through this interface and name no type of call themselves.
 */
import type { z } from 'zod';
import type { Problem } from '../base/diagnostics/problem.ts';
import type { Call, CallOutcome, ObjectBuilder, SeenItems, SentCall } from './call.ts';
import type { PropertyChange } from './changes.ts';
import type { Context } from './context.ts';
import type { Move } from './move.ts';
import type { Note } from './notes.ts';
import type { Views } from './views.ts';

/** The purpose of a plan. Reports word the same calls differently for each. */
export type PlanMode = 'plan' | 'drift' | 'destroy' | 'undo';

export interface CallType<C> {
  /** The value of the call's `type` field. */
  type: string;
  /** The one definition of the call's fields, with their descriptions. */
  schema(object: ObjectBuilder): z.ZodObject;
  /** A shorter form for JSON reports, for calls that repeat themselves. By default, reports show the fields of `schema`. */
  document?: { schema: z.ZodObject; of(call: C): object };
  /** Equal for two calls that have the same effect. Plan files and approvals are compared by it. */
  key(call: C): string;
  /** The concurrency key: resources whose calls have the same key are handled one after the other. */
  target(call: C): string;
  /** True if the service may charge for the call. Amounts are never stated. */
  billed: boolean;
  outcome(sent: SentCall<C>): CallOutcome;
  /** The part of the call that is known to have taken effect. */
  effect(sent: SentCall<C>): C | undefined;
  /** Facts that later only the journal knows, because no read shows them. */
  facts?(sent: SentCall<C>): Facts | undefined;
  /** Returns true if the live state shows that the call is needed. Other calls are not drift. True by default. */
  isObserved?(call: C): boolean;
  /** Changes the views as if the call were sent, for the resources that are planned after it. */
  expect?(call: C, views: Views): void;
  /** Left out for calls whose outcome the next read of the resource shows. */
  reconcile?: ReconcileCalls<C>;
  /** The properties that the call itself changes. Left out for calls whose changes only the resource knows. */
  changes?(call: C): PropertyChange[];
  /** The calls that undo an effect; empty if it cannot be undone. */
  invert(effect: C): Call[];
  /** Notes on what an undo of the call leaves unchanged, and why. */
  undoNotes?(call: C): Note[];
  /** The functions that send a call of this type as an undo. Only for types that `invert` returns. */
  undo?: UndoCall<C>;
  /** The part of a report that lists these calls. */
  section: ReportSection;
  /** The words that say that a refused call had no effect: `nothing moved`. */
  noEffect: string;
  /** Describes the changes of the call, without a report format. `changes` are those of the resource that sends the call. */
  describe(call: C, changes: readonly PropertyChange[]): CallDescription;
  /** One sentence for each thing that the call changes, for findings and annotations. Empty for a flow. */
  differences(call: C, changes: readonly PropertyChange[], mode: PlanMode): Difference[];
  /** The totals of these calls, in the order of the summary. */
  totals: readonly CallTotal<C>[];
  /** The number of things that the call adds, changes and removes. By default, each change of `describe` is a thing. */
  tally?(call: C): Tally;
}

export type Tally = Readonly<Record<CallChange['kind'], number>>;

/** Finds out what became of calls of earlier runs: their answer was lost, or no read has shown their effect yet. */
export interface ReconcileCalls<C> {
  /** Returns true if the outcome of the call is still open. */
  isOpen(sent: SentCall<C>): boolean;
  /** Adds what is known of a call to the views. Called for all calls of earlier runs, in their order. */
  recall(sent: SentCall<C>, views: Views, lagMs: number): void;
  /**
   * Reads until each outcome is known, or its deadline (in milliseconds since the epoch) has passed. A call whose outcome cannot be
   * read is left out of the result. @throws ServiceError only if the read was aborted
   */
  lookUp(open: readonly OpenCall<C>[], views: Views, lagMs: number): Promise<ReadonlyMap<SentCall<C>, SeenItems>>;
}

export interface OpenCall<C> {
  sent: SentCall<C>;
  deadline: number;
}

/** Facts about one topic, such as `deleted ports of http://127.0.0.1:22999`. */
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

export interface ReportSection {
  id: string;
  title: string;
}

export interface CallDescription {
  /** The subject of the call, in a word or two: `settings`, `ports`, `delivery`, or the zone that receives IPs. */
  subject: string;
  /** The server that receives the call, if it is not the service itself. */
  place?: string;
  /** IPs that move, for calls that move IPs. */
  flow?: Flow;
  /** The changes of the call, row by row. Empty for a flow. */
  changes: readonly CallChange[];
  /** The same in one line, item by item: `logs 1000 → 500`, `registers nightly`. Empty for a flow. */
  items: readonly string[];
}

export interface Flow {
  from: string;
  to: string;
  moves: readonly Move[];
}

export interface CallChange {
  kind: PropertyChange['kind'];
  /** The property: `logs`, `port`, `inputs.row 1`. */
  name: string;
  /** Both values as text. A missing `before` did not exist; a missing `after` will not exist. */
  before?: string | undefined;
  after?: string | undefined;
  /** True for something that must not exist because the declaration says so, such as a port in `absentPorts`. */
  isForbidden?: boolean | undefined;
  /** True for a value that the declaration leaves out. */
  isDefault?: boolean | undefined;
}

export interface Difference {
  /** Identifies the difference across reports, also after its numbers have changed. */
  key: readonly string[];
  text: string;
  /** The zones that the difference is about, for its location: first the one that receives IPs. */
  zones?: readonly string[];
}

export interface CallTotal<C> {
  /** The field of JSON summaries. */
  name: string;
  description: { plan: string; run: string };
  count(calls: readonly C[]): number;
  /** True for items that move and are neither added nor changed nor removed. */
  isMove?: boolean;
  /** The total in the last line of a plan and of a run. Left out of both by default. */
  words?: { planned(count: number, calls: number, mode: PlanMode): string; done(count: number, calls: number): string };
  /** More about the calls that are counted, which follows the words: `4 moves in all`. Differences of drift have none. */
  detail?(calls: readonly C[], count: number): string | undefined;
}

export const changeSigns = { add: '+', remove: '-', change: '~' } as const;

/** `1000 → 500`, or the one value that is added or removed. */
export function changeWords({ kind, before, after }: CallChange): string {
  return kind === 'change' ? `${before} → ${after}` : (after ?? before ?? '');
}

/** Names what is live and what is declared, because drift may be corrected on either side. */
export function driftWords({ kind, before = '', after = '', isForbidden }: CallChange): string {
  if (kind === 'add') return `${after}, declared but not live`;
  if (kind === 'change') return `${before} live, ${after} declared`;
  return `${before}, live but ${isForbidden ? 'declared absent' : 'not declared'}`;
}
