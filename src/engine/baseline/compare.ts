/** Compares plans with the baseline: every difference of a planned resource gets its cause. Reads only. */
import { isDeepStrictEqual } from 'node:util';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { ServiceError } from '../../client/errors.ts';
import { callTypeOf, effectOf, movesOf } from '../../kinds/knownCalls.ts';
import type { Call } from '../../kinds/seam/call.ts';
import { driftComparison, type SpecDifference } from '../../kinds/seam/comparison.ts';
import type { Move } from '../../kinds/seam/move.ts';
import { isSameResource, resourceKey } from '../plan/plan.ts';
import { expectDone } from '../plan/planResource.ts';
import type { Declared, Planned } from '../plan/resources.ts';
import type { Run } from '../run/journal.ts';
import { shortRunId } from '../run/runId.ts';
import type { Session } from '../run/session.ts';
import { startedByText } from '../run/startedBy.ts';
import { type BaselineEntry, type DeclarationBaseline, entryOf } from './baseline.ts';
import { type CausedChange, type Compared, causesOf, type OwnHalf } from './causes.ts';
import { whysOf } from './whys.ts';

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
  recentRuns: () => Promise<readonly Run[]>,
): Promise<Planned[]> {
  const live = planning.withDeclared(declared);
  const kept = keptDeclaration(declared, baseline);
  const comparison: Comparison = {
    baseline,
    live,
    kept,
    atBaseline: () => planning.withDeclared([...kept.values()]),
    recentRuns,
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
  /** Returns a session that knows the kept resources, and the live state. */
  atBaseline: () => Session;
  /** Returns the last runs on the account, the oldest first. */
  recentRuns: () => Promise<readonly Run[]>;
  /** The collections of which no declared resource differs from its kept spec. */
  unchanged: ReadonlySet<string>;
}

async function causesFor(
  planned: Planned,
  comparison: Comparison,
): Promise<Pick<Planned['plan'], 'causes' | 'whys' | 'stated'>> {
  const { declared, plan } = planned;
  const { definition, spec } = declared;
  const { differences: compare, stated } = driftComparison.of(definition) ?? {};
  const state = compare && (await definition.observe(spec, comparison.live.contextFor(declared)));
  const found = compare?.(spec, state) ?? plan.changes;
  if (found.length === 0 && plan.calls.length === 0) return {};
  // Without differences, there may still be a call that changes no property, such as the registration of a schedule without fields.
  const differences: readonly SpecDifference[] = found.length > 0 ? found : [{ path: [], kind: 'change' }];
  const causes = await causesBetween(planned, differences, comparison);
  const whys = comparison.baseline && whysOf(definition, plan.calls, planned.state, causes);
  return { causes, ...(whys && { whys }), ...(stated && { stated: stated(spec, state) }) };
}

async function causesBetween(
  planned: Planned,
  differences: readonly SpecDifference[],
  comparison: Comparison,
): Promise<CausedChange[]> {
  const compared = await comparedWith(planned, differences, comparison);
  const causes = causesOf(differences, compared);
  if (typeof compared !== 'object') return causes;
  const isPending = causes.every(({ cause }) => cause === 'pending');
  const own = isPending ? undefined : await ownHalf(planned.declared, comparison);
  const known = own === undefined ? causes : causesOf(differences, { ...compared, own });
  return withRuns(known, planned.declared, comparison);
}

/** Names the last run that has to do with each difference: one that caused drift, or one that was to make a pending change and did not. */
async function withRuns(
  causes: CausedChange[],
  declared: Declared,
  { baseline, recentRuns }: Comparison,
): Promise<CausedChange[]> {
  const entry = baseline && entryOf(baseline, declared);
  const { endedBy } = driftComparison.of(declared.definition) ?? {};
  if (entry === undefined || endedBy === undefined) return causes;
  const of = (cause: CausedChange['cause']) => endedBy(causes.filter((each) => each.cause === cause));
  const [drift, pending] = [of('drift'), of('pending')];
  const runs = new Map<CausedChange, ReturnType<typeof runWords>>();
  for (const run of runsAfter(entry, await recentRuns())) {
    const made = run.calls.flatMap(effectOf).flatMap(movesOf);
    for (const move of made)
      for (const change of drift({ ...move, from: move.to, to: move.from })) runs.set(change, runWords(run));
    const left = Map.groupBy(
      unmadeMoves(run, made).flatMap((move) => pending(move)),
      (change) => change,
    );
    // A count that has changed again since is a change of the declaration.
    for (const [change, { length }] of left) if (sizeOf(change) === length) runs.set(change, runWords(run));
  }
  return causes.map((change) => ({ ...change, ...(change.run === undefined && runs.get(change)) }));
}

/** Returns the planned moves of a run that failed which had no effect. */
function unmadeMoves({ calls, ended }: Run, made: readonly Move[]): Move[] {
  if (ended?.result === 'done') return [];
  const moved = new Set(made.map(({ ip }) => ip));
  const planned = [...calls.map(({ call }) => call), ...(ended?.left ?? [])].flatMap(movesOf);
  // A call may have been sent and be left, too.
  return [...new Map(planned.map((move) => [move.ip, move])).values()].filter(({ ip }) => !moved.has(ip));
}

/** Returns the number of IPs that a difference is about. */
function sizeOf({ before, after }: CausedChange): number {
  return typeof before === 'number' && typeof after === 'number' ? Math.abs(after - before) : 1;
}

function runWords(run: Run): Pick<CausedChange, 'run' | 'by'> {
  return { run: shortRunId(run), ...(run.by && { by: startedByText(run.by) }) };
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
    return { differences: await differencesFrom(then, atBaseline()) };
  } catch (error) {
    // A kept spec may name a zone that no longer exists. Without the comparison, every difference counts as drift: a false alarm is better
    // than none.
    if (error instanceof ProblemError || error instanceof ServiceError) return 'unknown';
    throw error;
  }
}

async function differencesFrom(then: Declared, session: Session): Promise<readonly SpecDifference[]> {
  const { definition, spec } = then;
  const state = await definition.observe(spec, session.contextFor(then));
  return driftComparison.of(definition)?.differences?.(spec, state) ?? definition.diff(spec, state).changes;
}

/**
 * Returns what the tool did to a resource itself since the baseline, if its last run did not end well: the journal knows these calls. Returns
 * undefined for calls whose effect cannot be taken out of what was read.
 */
async function ownHalf(
  declared: Declared,
  { baseline, kept, atBaseline, recentRuns }: Comparison,
): Promise<OwnHalf | undefined> {
  const entry = baseline && entryOf(baseline, declared);
  const then = kept.get(resourceKey(declared));
  if (entry === undefined || then === undefined) return undefined;
  const effects = (run: Run) =>
    run.calls.filter(({ resource }) => isSameResource(resource, declared)).flatMap(effectOf);
  const runs = runsAfter(entry, await recentRuns()).filter((run) => effects(run).length > 0);
  const last = runs.at(-1);
  if (last === undefined || last.ended?.result === 'done') return undefined;
  const done = runs.flatMap(effects);
  const undone = done.toReversed().flatMap((effect) => callTypeOf(effect).invert(effect).calls);
  const after = async (calls: readonly Call[]) => {
    const session = atBaseline();
    for (const call of calls) expectDone(call, session);
    return differencesFrom(then, session);
  };
  const [live, again, before] = [await after([]), await after([...undone, ...done]), await after(undone)];
  // If these calls would have an effect again, someone else has changed it since.
  if (!isDeepStrictEqual(live, again)) return undefined;
  return { ...runWords(last), differences: before.filter((difference) => !isOfCalls(difference, done)) };
}

/** Reports whether a live value is the one that these calls set. Moves are taken out of the listings instead. */
function isOfCalls({ path, before }: SpecDifference, calls: readonly Call[]): boolean {
  const changes = calls.flatMap((call) =>
    callTypeOf(call).flow(call) === undefined ? callTypeOf(call).changes(call) : [],
  );
  const last = changes.findLast((change) => isDeepStrictEqual(change.path, path));
  return last !== undefined && isDeepStrictEqual(last.after, before);
}

/** The log has the runs in their order; only an entry without a run is placed by its time. */
function runsAfter({ run, at }: BaselineEntry, runs: readonly Run[]): readonly Run[] {
  const index = run === undefined ? -1 : runs.findIndex(({ id }) => id === run);
  return index >= 0 ? runs.slice(index + 1) : runs.filter(({ startedAt }) => startedAt > at);
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
  return new Set(
    [...byCollection].filter(([, resources]) => resources.every(isSame)).map(([collection]) => collection),
  );
}
