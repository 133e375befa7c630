/**
 * The interface of a kind of resource. Everything about a kind is in its folder; the sync tool, the reports and the Pulumi provider
 * use this interface and `CallType` only, and no kind knows which of them called it.
 */
import type { z } from 'zod';
import type { Problem } from '../diagnostics/problem.ts';
import type { Timing } from '../triggers/timing/timing.ts';
import type { Call } from './call.ts';
import type { CallType } from './callType.ts';
import type { PropertyChange } from './changes.ts';
import type { Context, Defaults, PullTarget } from './context.ts';
import type { Note, NoteType } from './notes.ts';

/** The properties of a resource: as they were declared, without defaults, or as a state holds them. */
export type Properties = Readonly<Record<string, unknown>>;

export interface Kind<Spec, State> {
  /** `ZoneIpAllocation`. */
  name: string;
  /** The YAML collection, a map from name to spec: `zoneIpAllocations`. */
  collection: string;
  /** The schema of a spec. Its descriptions are the source of the JSON Schema, the documentation and the editor's help. */
  spec: z.ZodType<Spec>;
  /** The calls that it may send. */
  calls: readonly CallType<Call>[];
  /** The notes that it may print. */
  notes: readonly NoteType[];
  /** The guards, by the code of their problems: such a problem stops a plan although its calls could be sent. */
  guards: Readonly<Record<string, GuardScope>>;
  /** Codes of problems that another resource of the same program may resolve, once it is declared or applied. */
  resolvable?: readonly string[];
  /** For resources that are registered under an owner, and may therefore be live without being declared. */
  owned?: OwnedResources<Spec>;
  /** The fields of a spec, before it is parsed, whose values decide where a request is sent. */
  destinations?(written: unknown): PropertyKey[][];
  /** The live objects that a spec names. */
  targets?(spec: Spec): { zones?: readonly string[]; managers?: readonly string[] };
  /** Conflicts between several specs, such as two that fill the same zone. Paths begin with the name of a resource. */
  conflicts(specs: ReadonlyMap<string, Spec>, defaults: Defaults): Problem[];
  /** Resources with the same concurrency key are handled one after the other, others in parallel. */
  concurrencyKey(spec: Spec, context: Context<Spec>): string;
  /** Reads everything that `diff` needs. Sends no write. @throws ProblemError, ServiceError */
  observe(spec: Spec, context: Context<Spec>): Promise<State>;
  /** Pure: the differences, the calls that would be sent, and notes for the reviewer. */
  diff(spec: Spec, state: State): Diff;
  /**
   * Pure: the differences in the terms of the declaration, for comparisons with a baseline. By default, the changes of `diff`. Needed for
   * kinds that can meet a declaration in several ways: different IPs may fill a count.
   */
  differences?(spec: Spec, state: State): SpecDifference[];
  /** By default, a baseline keeps the spec itself, and it is compared with the live state as if it were declared. */
  baseline?: BaselineForm<Spec, State>;
  /** Pure: what `diff` returns for the removal of the resource. */
  diffRemoval(spec: Spec, state: State): Diff;
  /** Pure: the guards that these calls would break. The calls may come from a plan file that was edited by hand. */
  guard(spec: Spec, state: State, calls: readonly Call[]): Problem[];
  /** Pure: returns the live values that the calls of `diff` depend on, by name. Plain JSON; plans keep hashes of the values. */
  fingerprintInput(state: State): Record<string, unknown>;
  /** Sends the calls of `diff` and reads back. @throws ServiceError, ProblemError for each field that still differs */
  converge(spec: Spec, context: Context<Spec>): Promise<State>;
  /** Sends the calls of `diffRemoval`. Idempotent. @throws ProblemError, ServiceError */
  remove(spec: Spec, context: Context<Spec>): Promise<void>;
  /** The live resources as a person would declare them, by name. Undefined if the target names none of this kind. */
  exportLive?(target: PullTarget, context: Context<Spec>): Promise<Readonly<Record<string, object>> | undefined>;
  /** Pure: the resource as it would be declared to match the live state. */
  acceptLive(resource: WrittenResource<Spec>, state: State, options: AcceptOptions): LiveDeclaration;
  /** Pure: the zones that these specs, all declared ones of this kind, claim, and the state of the IPs there. For kinds that are about zones. */
  zoneClaims?(specs: readonly Spec[]): ZoneClaims;
  /** The live objects other than zones, such as managers and schedules, declared or not. Reads only. @throws ProblemError, ServiceError */
  liveObjects?(target: LiveTarget<Spec>, context: Context<Spec>): Promise<LiveObject[]>;
  /** The lists of addresses that may use zones, declared or not. Reads nothing itself. */
  allowLists?(target: LiveTarget<Spec>, context: Context<Spec>): AllowList[];
  /** Pure: the target and the timing of a schedule, for forecasts. For kinds that trigger on a schedule. */
  firing?(spec: Spec): Firing;
  /** Lists whose items a declaration may write short, such as ranges of addresses. Specs have the whole lists. */
  shortLists?: ShortLists | undefined;
}

export interface Firing {
  /** The collector or dataset that is triggered: `c_prices`. */
  target: string;
  timing: Timing;
  overlap: 'skip' | 'queue' | 'cancel' | 'allow';
  isPaused: boolean;
  /** The longest time in milliseconds that a job may take, if it is declared. */
  longestMs: number | undefined;
}

export interface ShortLists {
  /** Paths of lists from the top of the spec. `*` stands for any key. */
  paths: readonly (readonly string[])[];
  /** Returns the items that a text stands for, or why it cannot. Undefined for a text that is an item itself. */
  expand(text: string): readonly string[] | Problem | undefined;
  /** Returns true for a text that is one item. */
  isItem(text: string): boolean;
  /** Such as `an IPv4 address`. */
  itemName: string;
  /** Returns a short text that `expand` turns into all items from the first to the last one. */
  shorten?(first: string, last: string): string;
  /** JSON Schemas of the short items. */
  schemas: readonly { title: string; type: string; pattern: string; description: string; examples: string[] }[];
}

/** Any kind, as the registry holds it. A kind is only ever passed specs and states of its own. */
export type AnyKind = Kind<unknown, unknown>;

/** A difference between a spec and the live state. The path begins within the spec. */
export interface SpecDifference extends PropertyChange {
  /** Differences with the same subject are compared although their paths differ, such as two zones that declare an IP. */
  subject?: string;
  /** False if reading cannot show whether the difference exists. Such a difference is never drift. */
  isObserved?: boolean;
}

/** The form in which a baseline keeps specs that hold secrets or name files. */
export interface BaselineForm<Spec, State> {
  /** Returns plain JSON without secrets. Undefined if the spec is not complete. */
  keep(spec: Spec, state: State): unknown;
  /** Pure: the differences between a kept spec and the live state. `spec` is the current spec. */
  differences(kept: unknown, spec: Spec, state: State): SpecDifference[];
}

/** A resource as it is in the file, with variables replaced and without defaults, and its parsed spec. */
export interface WrittenResource<Spec> {
  written: Properties;
  spec: Spec;
}

export interface AcceptOptions {
  /** True if unmanaged IPs count as drift. */
  isStrict: boolean;
  /** True if all resources of the declaration are accepted. */
  isWhole: boolean;
}

export interface LiveDeclaration {
  /** Values that match stay as they were written, and lists keep their order. Undefined if the resource does not exist any more. */
  fields: Properties | undefined;
  /** Differences that cannot be declared. Paths begin within the spec. */
  problems?: readonly Problem[];
}

export interface OwnedResources<Spec> {
  /** The spec with salted hashes in place of its secrets, for plan files. */
  seal(spec: Spec): unknown;
  /** Replaces secrets by words: equal secrets get equal words on both sides. */
  comparable(spec: Spec, sealed: unknown): { declared: unknown; sealed: unknown };
  /** All that the owner has registered. @throws ServiceError */
  registered(owner: string, context: Context<Spec>): Promise<OwnedResource[]>;
}

export interface OwnedResource {
  name: string;
  /** Printed if the resource is not declared and stays. */
  note: Note;
  removal: Diff;
}

/**
 * `every`: the guard holds for every call that touches what it protects, also for the undo of another resource's run. `own`: it holds
 * for calls of its own resource only. `planned`: it does not hold for undo.
 */
export type GuardScope = 'every' | 'own' | 'planned';

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

/**
 * The state of a live IP. `declared`: the declaration wants it here, by address or as part of a count. `elsewhere`: it is declared by
 * address for another zone. `unmanaged`: it is in a declared zone, and not declared. `spare` and `source`: it is free in such a zone.
 */
export const ipStates = ['declared', 'elsewhere', 'unmanaged', 'spare', 'source'] as const;

export type IpState = (typeof ipStates)[number];

export interface ZoneClaims {
  /** By zone: declared ones first, in the order of the declaration. */
  zones: ReadonlyMap<string, ZoneClaim>;
  /** Returns the function that classifies the IPs of a zone. It returns undefined for IPs that no declaration is about. */
  classifier(zone: string): (ip: string, country: string) => IpState | undefined;
  /** Returns true for an IP that moves only into the zone that declares it. */
  isProtected(ip: string): boolean;
}

/** The part of the declaration that is about one zone. */
export interface ZoneClaim {
  /** `ignored`: declared, and left alone for now. */
  role: 'declared' | 'spare' | 'source' | 'ignored';
  /** The declared number of IPs, or of the IPs of each country. */
  count?: number | ReadonlyMap<string, number> | undefined;
  /** The number of IPs that are declared by address. */
  listed: number;
  /** The least number of IPs that every call leaves. */
  keepAtLeast?: number | undefined;
}

/** The arguments with which `liveObjects` finds the live objects of a kind: the configuration, and the declared specs by name. */
export interface LiveTarget<Spec> extends Pick<PullTarget, 'managerUrl' | 'owner'> {
  declared: ReadonlyMap<string, Spec>;
}

export interface LiveObject {
  name: string;
  isDeclared: boolean;
  /** Reads what there is to show, as plain JSON by name. @throws ProblemError, ServiceError */
  facts(): Promise<Readonly<Record<string, unknown>>>;
}

/** A list of the addresses that may use zones. Entries are addresses and networks. */
export interface AllowList {
  /** The server that holds the live list, such as the URL of a manager. */
  owner: string;
  /** Undefined if the list is not declared. `path` begins with the name of the resource. */
  declared?: { path: PropertyKey[]; entries: readonly string[] } | undefined;
  /** Reads the live entries. Undefined if they are not shown. @throws ProblemError, ServiceError */
  live(): Promise<readonly string[] | undefined>;
}
