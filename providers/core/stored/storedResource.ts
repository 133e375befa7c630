/**
 * A kind for fronts that store resources in a state of their own, such as Pulumi: names, comparison, and the properties that the state holds. Each
 * kind has it once, for every such front.
 */
import type { z } from 'zod';
import type { Call, SentCall } from '../../../src/kinds/seam/call.ts';
import type { Context, PullTarget } from '../../../src/kinds/seam/context.ts';
import type { Properties } from '../../../src/kinds/seam/kind.ts';

/** A path of names and indexes in the properties of a resource. `*` stands for every name or index. */
export type PropertyPath = readonly (string | number)[];

export interface StoredResource<Spec, State> {
  /** Returns a short name of one resource for messages: `checkout, pricing`. */
  title(spec: Spec, context: Context): string;
  id(spec: Spec, context: Context): string;
  /** Returns what an import of this id reads, and the inputs that the id itself gives. By default, the id is the name. */
  importTarget(id: string): ImportTarget;
  /** Lists the resources that exist, with ids that can be imported. By default, the registrations of an owner. */
  list?(query: Properties, context: Context): Promise<{ id: string; name: string }[]>;
  /** Sorts lists whose order has no meaning, so that differences of inputs are short. Values may be unknown. */
  normalize(inputs: Properties): Properties;
  /** Returns equal values for specs with the same meaning, under the property names of the spec. */
  comparable(spec: Spec): object;
  /** Returns true if the live state shows that the resource does not exist any more. */
  isGone(state: State): boolean;
  /**
   * Returns the inputs without the parts that the service does not know any more, when reading failed with this error. Null: all of it is gone.
   * Undefined: the error has another cause.
   */
  withoutGone(inputs: Properties, error: unknown, context: Context): Promise<Properties | null | undefined>;
  /** Returns the inputs that the live state matches without changes: a refresh stores them. */
  liveInputs(inputs: Properties, spec: Spec, state: State): Properties;
  /** Returns the inputs that leave ignored properties as they are live. By default, the values of `liveInputs` take the place of the declared ones. */
  keepLive?(inputs: Properties, isIgnored: (path: PropertyPath) => boolean, state: State): Properties;
  /** Describes the properties that `outputs` returns. */
  outputSchema: z.ZodObject;
  /** Returns the properties that only the provider sets. */
  outputs(stored: StoredOutputs<Spec, State>): Properties;
  /** Returns the inputs whose change requires another resource. */
  replaces(olds: Properties, spec: Spec, context: Context): string[];
  /** Adds to the context what earlier updates stored in the outputs. */
  withOlds(context: Context, olds: Properties): Context;
  /** True if its declaration protects what calls of other resources may touch: zones, addresses. It must hold no secret. */
  guardsOthers: boolean;
  /** Returns what a user should know before the resource changes, such as another server than the one that the state knows. */
  remarks(olds: Properties, context: Context): string[];
  /** Returns the spec without the parts that other declared resources need, or undefined if nothing is left. */
  toDelete(spec: Spec, others: readonly Spec[]): Spec | undefined;
}

/** The members that a kind may leave out, for a kind whose inputs, specs and outputs need nothing special. */
const defaults = {
  importTarget: (id: string) => ({ id, target: { name: id, zones: [] }, inputs: {} }),
  normalize: (inputs: Properties) => inputs,
  comparable: (spec: unknown) => spec as object,
  isGone: () => false,
  withoutGone: async () => undefined,
  guardsOthers: false,
  remarks: () => [],
  replaces: () => [],
  withOlds: (context: Context) => context,
  toDelete: (spec: unknown) => spec,
};

/** A stored resource as a kind declares it. */
export type DeclaredStored<Spec, State> = Omit<StoredResource<Spec, State>, keyof typeof defaults> &
  Partial<Pick<StoredResource<Spec, State>, keyof typeof defaults>>;

/** Adds the defaults. */
export function completeStored(declared: DeclaredStored<unknown, unknown>): StoredResource<unknown, unknown> {
  return { ...defaults, ...declared };
}

export interface StoredOutputs<Spec, State> {
  spec: Spec;
  /** Undefined if the live state could not be read after a failure. */
  state: State | undefined;
  /** The calls of this create or update. Undefined in a refresh, which sends none. */
  sent: readonly SentCall<Call>[] | undefined;
  /** The properties that the state held before. */
  olds: Properties;
}

export interface ImportTarget {
  /** The id in one spelling, as a state keeps it. */
  id: string;
  /** `name` is the name under which the kind exports the resource. */
  target: PullTarget;
  inputs: Properties;
}
