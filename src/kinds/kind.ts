/**
 * What a kind of resource is: a name, the schema of what is declared, and its handlers. The sync tool and the Pulumi provider
 * call these and nothing else, and no kind knows which of the two called it.
 */
import type { z } from 'zod';
import type { Problem } from '../diagnostics/problem.ts';
import type { Call, RegistrationCall } from './call.ts';
import type { PropertyChange } from './changes.ts';
import type { Context } from './context.ts';

export interface Kind<Spec, State> {
  /** `ZoneIpAllocation`. */
  name: string;
  /** The YAML collection, a map from name to spec: `zoneIpAllocations`. */
  collection: string;
  /** Its descriptions become the JSON Schema, the documentation and the editor's help. */
  spec: z.ZodType<Spec>;
  /** What it is in the trigger service, where it is registered there: under an owner, and with secrets that no file may keep. */
  record?: RegistrationCall['record'];
  /** What no declaration of this kind can see by itself: two that claim the same thing. Paths begin with the resource's name. */
  conflicts(specs: ReadonlyMap<string, Spec>, defaults: Defaults): Problem[];
  /** Resources of one concurrencyKey are handled one after the other, others side by side. */
  concurrencyKey(spec: Spec, context: Context<Spec>): string;
  /** Everything that `diff` has to know. Reads only; null means absent, an error never means absent. */
  read(spec: Spec, context: Context<Spec>): Promise<State | null>;
  /** Pure: what differs, the very calls that would be made, and what a reviewer should know. */
  diff(spec: Spec, state: State): Diff;
  /** Pure: the guards that these calls would break. They may come from a plan file that was edited by hand. */
  guard(spec: Spec, state: State, calls: readonly Call[]): Problem[];
  /** Pure: what the calls of `diff` depend on, by what it is: plain JSON values, of which a plan keeps the hashes. */
  dependsOn(state: State): Record<string, unknown>;
  /** Pure: what `delete` would do. */
  diffDelete(spec: Spec, state: State): Diff;
  /** Adopts what is there: creating an existing thing makes it as declared. */
  create(spec: Spec, context: Context<Spec>): Promise<State>;
  /** Makes the calls of `diff`, then reads back: what did not take is an error that names field, wanted and got. */
  update(spec: Spec, state: State, context: Context<Spec>): Promise<State>;
  /** Idempotent. */
  delete(spec: Spec, context: Context<Spec>): Promise<void>;
  /** What is live now, by name, as a person would declare it; undefined where the target names nothing of this kind. For `pull`. */
  declare(target: PullTarget, context: Context<Spec>): Promise<Readonly<Record<string, object>> | undefined>;
}

/** What a declaration leaves to the configuration. */
export interface Defaults {
  managerUrl?: string | undefined;
  /** What is declared in another collection, by name; undefined where that is not known. */
  declared?: ((collection: string) => ReadonlyMap<string, unknown>) | undefined;
}

export interface PullTarget extends Defaults {
  /** The name of what has none by itself. */
  name: string;
  zones: readonly string[];
  /** Whose registrations; undefined where that, or the trigger service, is not known. */
  owner?: string | undefined;
}

export interface Diff {
  changes: PropertyChange[];
  /** In the order in which they are to be made. */
  calls: Call[];
  notes: Note[];
  /** Of kinds that are about zones: what these hold before and after the calls. */
  inventory?: ZoneInventory[];
  /** Why it can't be done, or not without breaking a guard; paths begin within the spec. Nothing is called while there is one. */
  problems: Problem[];
}

/** A zone and the IPs that it holds, country by country. */
export interface ZoneInventory {
  zone: string;
  countries: { country: string; before: number; after: number }[];
}

export type NoteCode =
  /** IPs in managed zones that nothing asks for; they stay. */
  | 'unmanaged'
  | 'geolocation-disagrees'
  | 'empty-zone'
  | 'protected-not-found'
  | 'zone-not-found'
  /** A listing was answered with something else that most likely means an empty one. */
  | 'unclear-listing'
  /** No geolocation database knows the country of these. */
  | 'unknown-country'
  /** A part of the profile that was read from answers and can be pinned. */
  | 'profile-inferred'
  | 'ports-not-observable'
  | 'read-by-put'
  | 'left-as-is'
  /** Registered under this owner, and declared no more; it stays. */
  | 'not-declared'
  /** How often a schedule triggers, which costs each time. */
  | 'fires'
  | 'run-failed'
  | 'run-given-up'
  | 'run-late'
  /** These two are drift: somebody has to look. */
  | 'overdue'
  | 'run-unknown';

/** Something a reviewer should know that is no change. */
export interface Note {
  code: NoteCode;
  text: string;
  /** The IPs it is about, where it is about IPs. */
  ips?: readonly string[];
}

/** Drift that no call would mend: what is registered is as declared, and what it should have done is not done. */
export function isAmiss({ code }: Pick<Note, 'code'>): boolean {
  return code === 'overdue' || code === 'run-unknown';
}
