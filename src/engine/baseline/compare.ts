/** Compares plans with the baseline: every difference of a planned resource gets its cause. Reads only. */
import { isDeepStrictEqual } from 'node:util';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { ServiceError } from '../../client/errors.ts';
import { driftComparison, type SpecDifference } from '../../kinds/comparison.ts';
import { resourceKey } from '../plan/plan.ts';
import type { Declared, Planned } from '../plan/resources.ts';
import type { Session } from '../run/sessionViews.ts';
import { type BaselineEntry, type DeclarationBaseline, entryOf } from './baseline.ts';
import { type Compared, causesOf } from './causes.ts';

/** Returns what a baseline keeps of a resource as it was planned. Undefined if its spec is not complete. */
export function keptSpec({ declared: { definition, spec }, state }: Pick<Planned, 'declared' | 'state'>): unknown {
  const form = driftComparison.of(definition)?.baseline;
  return form === undefined ? plainOf(spec) : form.keep(spec, state);
}

/** Returns the facts that a baseline keeps of a resource whose plan was applied. */
export function factsOfApplied({ declared, state, plan }: Planned): BaselineEntry['facts'] {
  if (state === undefined) return undefined;
  const facts = driftComparison.of(declared.definition)?.facts?.(declared.spec, state, plan.calls) ?? [];
  return facts.length === 0 ? undefined : Object.fromEntries(facts.map(({ topic, items }) => [topic, [...items]]));
}

function plainOf(spec: unknown): unknown {
  return JSON.parse(JSON.stringify(spec));
}

/**
 * Adds the causes to the plans of an apply. `planning` is the session that the plans were made with. Resources without differences, and those
 * whose live state cannot be read, have no causes.
 */
export async function withCauses(
  planned: readonly Planned[],
  declared: readonly Declared[],
  baseline: DeclarationBaseline | undefined,
  planning: Session,
): Promise<Planned[]> {
  const live = planning.withDeclared(declared);
  const kept = keptDeclaration(declared, baseline);
  const comparison: Comparison = {
    baseline,
    live,
    kept,
    atBaseline: planning.withDeclared([...kept.values()]),
    unchanged: unchangedKinds(declared, kept),
  };
  return Promise.all(
    planned.map(async (each) => {
      const { intent, plan, state } = each;
      const isSame = plan.calls.length === 0 && plan.problems.length === 0;
      if (intent === 'delete' || state === undefined || isSame) return each;
      return { ...each, plan: { ...plan, ...(await causesFor(each, comparison)) } };
    }),
  );
}

interface Comparison {
  baseline: DeclarationBaseline | undefined;
  /** Knows the declared resources, and the live state. */
  live: Session;
  /** The resources as they were kept. */
  kept: ReadonlyMap<string, Declared>;
  /** Knows the kept resources, and the live state. */
  atBaseline: Session;
  /** The collections of which no declared resource differs from its kept spec. */
  unchanged: ReadonlySet<string>;
}

async function causesFor(
  planned: Planned,
  comparison: Comparison,
): Promise<Pick<Planned['plan'], 'causes' | 'stated'>> {
  const { declared, plan } = planned;
  const { definition, spec } = declared;
  const { differences: compare, stated } = driftComparison.of(definition) ?? {};
  const state = compare && (await definition.observe(spec, comparison.live.contextFor(declared)));
  const found = compare?.(spec, state) ?? plan.changes;
  if (found.length === 0 && plan.calls.length === 0) return {};
  // Without differences, there may still be a call that changes no property, such as the registration of a schedule without fields.
  const differences: readonly SpecDifference[] = found.length > 0 ? found : [{ path: [], kind: 'change' }];
  const causes = causesOf(differences, await comparedWith(planned, differences, comparison));
  return { causes, ...(stated && { stated: stated(spec, state) }) };
}

async function comparedWith(
  planned: Planned,
  differences: readonly SpecDifference[],
  { baseline, kept, atBaseline, unchanged }: Comparison,
): Promise<Compared> {
  const { declared, state } = planned;
  const { definition, spec, collection } = declared;
  if (baseline === undefined) return 'unknown';
  const entry = entryOf(baseline, declared);
  if (entry === undefined) return baseline.complete ? 'none' : 'unknown';
  const form = driftComparison.of(definition);
  if (form?.baseline !== undefined) return { differences: form.baseline.differences(entry.spec, spec, state) };
  if (unchanged.has(collection)) return { differences };
  const then = kept.get(resourceKey(declared));
  if (then === undefined) return 'unknown';
  try {
    const stateThen = await definition.observe(then.spec, atBaseline.contextFor(then));
    return {
      differences: form?.differences?.(then.spec, stateThen) ?? definition.diff(then.spec, stateThen).changes,
    };
  } catch (error) {
    // A kept spec may name a zone that no longer exists. Without the comparison, every difference counts as drift: a false alarm is better
    // than none.
    if (error instanceof ProblemError || error instanceof ServiceError) return 'unknown';
    throw error;
  }
}

/** Returns the declared resources with the specs of the baseline, as far as there are any that this version can read. */
function keptDeclaration(
  declared: readonly Declared[],
  baseline: DeclarationBaseline | undefined,
): ReadonlyMap<string, Declared> {
  const kept = new Map<string, Declared>();
  for (const each of declared) {
    const { definition } = each;
    const entry = baseline && entryOf(baseline, each);
    if (entry === undefined || driftComparison.of(definition)?.baseline !== undefined) continue;
    const spec = definition.spec.safeParse(entry.spec).data;
    if (spec !== undefined) kept.set(resourceKey(each), { ...each, spec });
  }
  return kept;
}

function unchangedKinds(declared: readonly Declared[], kept: ReadonlyMap<string, Declared>): Set<string> {
  const byCollection = Map.groupBy(declared, ({ collection }) => collection);
  const isSame = (each: Declared) => {
    const then = kept.get(resourceKey(each));
    return then !== undefined && isDeepStrictEqual(plainOf(each.spec), plainOf(then.spec));
  };
  return new Set([...byCollection].filter(([, its]) => its.every(isSame)).map(([collection]) => collection));
}
