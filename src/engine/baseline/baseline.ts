/**
 * The baseline: the declaration of each resource when it was last applied completely. It separates differences that someone else made from
 * differences that wait to be applied. It has no secrets: kinds keep digests in their place.
 */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { isDeeper, isMapValue, parsedJson } from '../../base/values/plain.ts';
import { MAX_KEPT_DEPTH, TOO_DEEP } from '../../base/yaml/treeProblems.ts';
import { isSameDeclaration } from '../declaration/places.ts';
import { isSameResource, type ResourceId, resourceKey } from '../plan/plan.ts';

const format = 'webdata.baseline/1';

const kept = {
  /** The kept form of the spec: plain JSON. */
  spec: z.unknown().refine((value) => !isDeeper(value, MAX_KEPT_DEPTH), TOO_DEEP.found),
  /** ISO 8601, in UTC. */
  at: z.iso.datetime(),
  /** The id of the run that applied it. Absent if nothing had to be done. */
  run: z.string().optional(),
};

const entrySchema = z.object({
  kind: z.string(),
  collection: z.string(),
  name: z.string(),
  ...kept,
  /** The name of the declaration, which owns registrations. */
  owner: z.string().optional(),
  /** Facts about the resource that only the baseline knows, by topic. */
  facts: z.record(z.string(), z.array(z.string())).optional(),
  /** The entry that this one replaced, for an undo of its run. The spec is absent if it is the same. */
  previous: z.object(kept).partial({ spec: true }).optional(),
});

const declarationSchema = z.object({
  /** The places of its files. */
  places: z.array(z.string()),
  /** Set once all declared resources were applied: a resource that is missing here was never applied since. */
  complete: z.boolean(),
  resources: z.array(entrySchema),
  /** The entries that an undo, the run `by`, took back: an undo of that undo restores them. At most one for each resource. */
  undone: z.array(z.object({ by: z.string(), entry: entrySchema })).optional(),
});

const baselineSchema = z.object({
  format: z.literal(format),
  accounts: z.array(
    z.object({
      /** The key of the account. */
      account: z.string(),
      /** Each declaration knows its own resources only. */
      declarations: z.array(declarationSchema),
    }),
  ),
});

export type Baseline = z.output<typeof baselineSchema>;
/** The resources that one declaration applied to an account. */
export type DeclarationBaseline = z.output<typeof declarationSchema>;
export type BaselineEntry = DeclarationBaseline['resources'][number];

/** Reads the text of a baseline. `where` names it in problems. @throws ProblemError if it is damaged, or of a newer version */
export function parseBaseline(text: string, where: string): Baseline {
  const value = parsedJson(text);
  const named = isMapValue(value) ? value.format : undefined;
  if (typeof named === 'string' && named !== format) throw new ProblemError([otherFormat(where, named)]);
  const parsed = baselineSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue && issue.path.length > 0 ? `at ${z.core.toDotPath(issue.path)}: ${issue.message}` : 'it is not JSON';
  throw new ProblemError([damaged(where, at)]);
}

export function baselineText(baseline: Baseline): string {
  return `${JSON.stringify(baseline)}\n`;
}

/** Returns the declarations of the account with this key. */
export function declarationsIn(baseline: Baseline | undefined, key: string): readonly DeclarationBaseline[] {
  return baseline?.accounts.find(({ account }) => account === key)?.declarations ?? [];
}

/** Returns the baseline with other declarations of one account. */
export function withDeclarations(
  baseline: Baseline | undefined,
  account: string,
  declarations: DeclarationBaseline[],
): Baseline {
  const others = (baseline?.accounts ?? []).filter((each) => each.account !== account);
  return { format, accounts: [...others, ...(declarations.length > 0 ? [{ account, declarations }] : [])] };
}

/** Returns what the declaration with these places applied, with and without its overlays; undefined if it applied nothing. */
export function ownBaseline(
  declarations: readonly DeclarationBaseline[],
  places: readonly string[],
): DeclarationBaseline | undefined {
  const own = declarations.filter((each) => isSameDeclaration(each.places, places));
  if (own.length === 0) return undefined;
  const entries = own.flatMap(({ resources }) => resources).sort((a, b) => (a.at < b.at ? -1 : 1));
  const undone = own.flatMap((each) => each.undone ?? []);
  return {
    places: [...places],
    complete: own.some(({ complete }) => complete),
    resources: inOrder(new Map(entries.map((entry) => [resourceKey(entry), entry]))),
    ...(undone.length > 0 && { undone }),
  };
}

/** Returns the declarations with other places. */
export function otherDeclarations(
  declarations: readonly DeclarationBaseline[],
  places: readonly string[],
): DeclarationBaseline[] {
  return declarations.filter((each) => !isSameDeclaration(each.places, places));
}

/** Returns the facts that the declarations of an account keep, by topic. */
export function factsIn(declarations: readonly DeclarationBaseline[]): Map<string, ReadonlySet<string>> {
  const entries = declarations.flatMap(({ resources }) => resources);
  return new Map(
    entries.flatMap(({ facts = {} }) => Object.entries(facts).map(([topic, items]) => [topic, new Set(items)])),
  );
}

export function entryOf(
  { resources }: Pick<DeclarationBaseline, 'resources'>,
  resource: Pick<ResourceId, 'collection' | 'name'>,
): BaselineEntry | undefined {
  return resources.find((entry) => isSameResource(entry, resource));
}

/** The outcome of a run for the baseline of one resource. */
export type Confirmed = { resource: ResourceId } /** `sent`: the run made calls for it. */ & (
  | { is: 'applied'; spec: unknown; sent: boolean; facts?: BaselineEntry['facts'] }
  /** `of`: the places of another declaration whose files are gone. */
  | { is: 'removed'; of?: readonly string[] }
  /** The calls of this run on the resource were undone. */
  | { is: 'undone'; run: string }
);

interface ConfirmedBy {
  at: string;
  run?: string | undefined;
  /** True if every declared resource is confirmed. */
  complete: boolean;
  /** The name of the declaration. */
  owner?: string | undefined;
}

/** Pure: the declarations of an account after a run of the one with these places. An undo may be of a run of another one. */
export function declarationsAfter(
  declarations: readonly DeclarationBaseline[],
  places: readonly string[],
  confirmed: readonly Confirmed[],
  by: ConfirmedBy,
): DeclarationBaseline[] {
  const own = ownBaseline(declarations, places) ?? { places: [...places], complete: false, resources: [] };
  const others = otherDeclarations(declarations, places);
  const ofOthers = new Map(confirmed.map((each) => [each, others.find((other) => isAbout(other, each))]));
  const after = [own, ...others].map((each) => {
    const confirmedHere = confirmed.filter((one) => (ofOthers.get(one) ?? own) === each);
    return afterRun(each, confirmedHere, { ...by, complete: each === own && by.complete });
  });
  return after.filter(({ complete, resources, undone }) => complete || resources.length > 0 || undone !== undefined);
}

function isAbout({ places, resources, undone = [] }: DeclarationBaseline, confirmed: Confirmed): boolean {
  if (confirmed.is === 'removed') return isDeepStrictEqual(confirmed.of, places);
  if (confirmed.is !== 'undone') return false;
  const { resource, run } = confirmed;
  return (
    resources.some((entry) => entry.run === run && isSameResource(entry, resource)) ||
    undone.some(({ by, entry }) => by === run && isSameResource(entry, resource))
  );
}

/** Pure: the baseline of a declaration after a run. Resources that are not confirmed keep their entries. */
export function afterRun(
  before: DeclarationBaseline,
  confirmed: readonly Confirmed[],
  by: ConfirmedBy,
): DeclarationBaseline {
  const { undone: earlier = [], ...declaration } = before;
  const resources = new Map(declaration.resources.map((entry) => [resourceKey(entry), entry]));
  const undone = new Map(earlier.map((each) => [resourceKey(each.entry), each]));
  for (const each of confirmed) {
    const key = resourceKey(each.resource);
    const replaced = resources.get(key);
    const entry = entryAfter(replaced, each, by, undone.get(key));
    if (entry === undefined) resources.delete(key);
    else resources.set(key, entry);
    undone.delete(key);
    if (each.is === 'undone' && replaced !== undefined && by.run !== undefined)
      undone.set(key, { by: by.run, entry: replaced });
  }
  return {
    ...declaration,
    complete: before.complete || by.complete,
    resources: inOrder(resources),
    ...(undone.size > 0 && { undone: [...undone.values()] }),
  };
}

function inOrder(resources: ReadonlyMap<string, BaselineEntry>): BaselineEntry[] {
  return [...resources.values()].sort((a, b) => (resourceKey(a) < resourceKey(b) ? -1 : 1));
}

type Undone = NonNullable<DeclarationBaseline['undone']>[number];

function entryAfter(
  before: BaselineEntry | undefined,
  confirmed: Confirmed,
  by: ConfirmedBy,
  undone: Undone | undefined,
): BaselineEntry | undefined {
  const { kind, collection, name } = confirmed.resource;
  const id = { kind, collection, name };
  if (confirmed.is === 'removed') return undefined;
  if (confirmed.is === 'undone') {
    if (undone?.by === confirmed.run) return undone.entry;
    if (before?.run !== confirmed.run || before.previous === undefined) return undefined;
    const { owner, spec } = before;
    return { ...id, ...(owner !== undefined && { owner }), spec, ...before.previous };
  }
  const isSame = before !== undefined && isDeepStrictEqual(before.spec, confirmed.spec);
  const { at } = by;
  // Without calls, there is nothing to undo.
  const run = confirmed.sent ? by.run : undefined;
  const owner = by.owner !== undefined && { owner: by.owner };
  const facts = confirmed.facts && { facts: confirmed.facts };
  if (isSame && run === undefined) return { ...before, ...owner, ...facts };
  const previous = before && run !== undefined ? previousOf(before, isSame) : undefined;
  return {
    ...id,
    ...owner,
    spec: confirmed.spec,
    ...facts,
    at,
    ...(run !== undefined && { run }),
    ...(previous && { previous }),
  };
}

function previousOf({ spec, at, run }: BaselineEntry, isSame: boolean): BaselineEntry['previous'] {
  return { at, ...(run !== undefined && { run }), ...(!isSame && { spec }) };
}

function damaged(where: string, why: string): Problem {
  return {
    code: 'damaged-baseline',
    found: `${where} is damaged: ${why}`,
    allowed: 'a baseline that this tool wrote',
    fix: 'restore it, or delete it: until the next complete apply, every difference then counts as drift',
  };
}

function otherFormat(where: string, found: string): Problem {
  return {
    code: 'other-baseline-format',
    found: `${where} has the format ${found}`,
    allowed: format,
    fix: 'use the version of webdata that wrote it, or a newer one',
  };
}
