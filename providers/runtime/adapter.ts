/** What Pulumi needs to know of a kind beyond its handlers: how it is named, compared and shown in a state. */
import type { Call, Seen } from '../../src/kinds/call.ts';
import type { Context } from '../../src/kinds/context.ts';
import type { Kind } from '../../src/kinds/kind.ts';

/** A declaration as the program gave it: the input properties, without defaults. */
export type Declared = Readonly<Record<string, unknown>>;

export interface Adapter<Spec, State> {
  kind: Kind<Spec, State>;
  /** One resource in a few words: `checkout, pricing`. */
  title(spec: Spec, context: Context): string;
  id(spec: Spec, context: Context): string;
  /** The declaration with everything whose order means nothing in one order: what the engine shows of it reads well. */
  tidy(declared: Declared): Declared;
  /** Equal for declarations that mean the same. */
  meaning(spec: Spec): unknown;
  /** The live state for `refresh`; null where the thing is gone. Of a declaration some parts of which are gone, the rest. */
  read(declared: Declared, context: Context): Promise<Live<State> | null>;
  /** The declaration as it would have to read for the live state to be no drift: what `refresh` writes into the inputs. */
  asLive(live: Live<State>): Declared;
  /** The properties that are outputs only. `state` is undefined where it could not be read after a failure. */
  outputs(spec: Spec, state: State | undefined, made: readonly Made[], olds: Declared): Declared;
  /** The inputs whose change needs another resource. */
  replaces(olds: Declared, spec: Spec, context: Context): string[];
  /** What earlier updates left for the handlers, in the outputs. */
  withOlds(context: Context, olds: Declared): Context;
  /** The spec without what other resources declare now: deleting must not take that away. Undefined where nothing is left. */
  toDelete(spec: Spec, others: readonly Spec[]): Spec | undefined;
}

export interface Live<State> {
  declared: Declared;
  state: State;
}

/** A call that was sent, and what became of it. */
export interface Made {
  call: Call;
  outcome: 'unknown' | 'answered' | 'failed';
  /** How many IPs it moved, by the service's own word; nothing where that was not said. */
  count?: number;
  seen?: Seen;
}
