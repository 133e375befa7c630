/**
 * The interface of a kind of resource. Everything about a kind is in its folder; the engine, the reports and the providers
 * use this interface and `CallType` only, and no kind knows which of them called it.
 */
import type { z } from 'zod';
import type { Problem } from '../../base/diagnostics/problem.ts';
import type { Call } from './call.ts';
import type { CallType } from './callType.ts';
import type { PropertyChange } from './changes.ts';
import type { Context, Defaults } from './context.ts';
import type { Note } from './notes.ts';

/** The properties of a resource: as they were declared, without defaults, or as a state holds them. */
export type Properties = Readonly<Record<string, unknown>>;

/** Everything that planning and applying need of a kind. What only one command or front needs is a capability (`capability.ts`). */
export interface Kind<Spec, State> {
  /** `ZoneIpAllocation`. */
  name: string;
  /** The YAML collection, a map from name to spec: `zoneIpAllocations`. */
  collection: string;
  /** The schema of a spec. Its descriptions are the source of the JSON Schema, the documentation and the editor's help. */
  spec: z.ZodType<Spec>;
  /** The calls that it may send. */
  calls: readonly CallType<Call>[];
  guards: Guards<Spec, State>;
  /** Conflicts between several specs, such as two that fill the same zone. Paths begin with the name of a resource. */
  conflicts(specs: ReadonlyMap<string, Spec>, defaults: Defaults): Problem[];
  /** Resources with the same concurrency key are handled one after the other, others in parallel. */
  concurrencyKey(spec: Spec, context: Context<Spec>): string;
  /** Reads everything that `diff` needs. Sends no write. @throws ProblemError, ServiceError */
  observe(spec: Spec, context: Context<Spec>): Promise<State>;
  /** Pure: the differences, the calls that would be sent, and notes for the reviewer. */
  diff(spec: Spec, state: State): Diff;
  /** Pure: returns the live values that the calls of `diff` depend on, by name. Plain JSON; plans keep hashes of the values. */
  fingerprint(state: State): Record<string, unknown>;
  /** Sends the calls of `diff` and reads back. @throws ServiceError, ProblemError for each field that still differs */
  converge(spec: Spec, context: Context<Spec>): Promise<State>;
  removal: Removal<Spec, State>;
}

export interface Guards<Spec, State> {
  /** The codes of problems that stop a plan although its calls could be sent. */
  scopes: Readonly<Record<string, GuardScope>>;
  /** Pure: the guards that these calls would break. The calls may come from a plan file that was edited by hand. */
  broken(spec: Spec, state: State, calls: readonly Call[]): Problem[];
  /**
   * Pure: returns true if this declaration could have caused the call, under any name. Guards of scope `own` hold for the undo of such
   * a call too, once the name that caused it is no longer declared.
   */
  couldMake(spec: Spec, call: Call): boolean;
}

export interface Removal<Spec, State> {
  /** Pure: what `diff` returns for the removal of the resource. */
  diff(spec: Spec, state: State): Diff;
  /** Sends the calls of the removal. Idempotent. @throws ProblemError, ServiceError */
  send(spec: Spec, context: Context<Spec>): Promise<void>;
}

/** Any kind, as the registry holds it. A kind is only ever passed specs and states of its own. */
export type AnyKind = Kind<unknown, unknown>;

/**
 * `every`: the guard holds for every call that touches what it protects, also for the undo of another resource's run. `own`: it holds
 * for calls of its own resource only, or of an earlier name of it. `planned`: it does not hold for undo.
 */
type GuardScope = 'every' | 'own' | 'planned';

export interface Diff<C extends Call = Call> {
  changes: PropertyChange[];
  /** In the order in which they are to be sent. */
  calls: C[];
  notes: Note[];
  /** For kinds that are about zones: the IPs of each zone before and after the calls. */
  inventory?: ZoneInventory[];
  /** Why the calls must not be sent. Paths begin within the spec. */
  problems: Problem[];
}

/** A zone and the IPs that it holds, country by country. */
export interface ZoneInventory {
  zone: string;
  /** The path in the spec that names the zone. Absent for a zone that it does not name. */
  path?: PropertyKey[] | undefined;
  countries: { country: string; before: number; after: number }[];
}
