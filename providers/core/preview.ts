/**
 * Plans of resources before they are written. Dynamic providers have no preview call, so they plan during check and diff, in the order of the
 * declaration.
 */
import { assertNoProblems, type Problem, ProblemError } from '../../src/base/diagnostics/problem.ts';
import {
  assertGuardsKept,
  comparedOrProblems,
  guardsBrokenBy,
  mayBeResolved,
  type PlannedDiff,
  type Session,
} from '../../src/engine/doors/front.ts';
import { movesOf } from '../../src/kinds/knownCalls.ts';
import type { Call } from '../../src/kinds/seam/call.ts';
import type { Context } from '../../src/kinds/seam/context.ts';
import type { AnyKind, Properties } from '../../src/kinds/seam/kind.ts';
import type { PlanTarget } from './announcement.ts';
import { diffOfKept, withLiveValues } from './ignoredChanges.ts';
import { type ContextOptions, contextFor, inputsIn, kindAndKey, parseResource, type Resource } from './resource.ts';
import type { Stack } from './stack.ts';
import type { PropertyPath } from './stored/storedResource.ts';
import { storedOf } from './stored/table.ts';
import { unknownValue } from './unknown.ts';

/** Compares a resource with the live state, without the properties that it ignores. */
export async function compareResource(resource: Resource, context: Context) {
  const kept = await withLiveValues(resource, context);
  const state = await kept.kind.observe(kept.spec, context);
  return { diff: diffOfKept(kept, state), state };
}

/** Returns a resource as it is planned. Each plan has a context of its own, because the program goes on declaring neighbors. */
export function targetFor(
  session: Session,
  resource: Resource,
  { isNew = false, unseen, ...options }: ContextOptions & Partial<Pick<PlanTarget, 'isNew' | 'unseen'>> = {},
): PlanTarget {
  const context = () => contextFor(session, resource, options);
  const compare = () => compareResource(resource, context());
  return { resource, key: kindAndKey(resource), isNew, unseen, context, compare };
}

/**
 * Returns what a create or update would do, from the plan of the preview, and the properties that the state would then have. A property that
 * cannot be predicted is `unknownValue`. `isLast`: the program goes on declaring during the call, so what no other resource resolves meanwhile is an
 * error. @throws ProblemError
 */
export async function previewResource(
  { run, declared, declaring }: Stack,
  kind: AnyKind,
  olds: Properties,
  news: Properties,
  { ignored = [], isLast = false }: { ignored?: readonly PropertyPath[]; isLast?: boolean } = {},
): Promise<{ id: string; plan: PlannedDiff; properties: Properties }> {
  const resource = parseResource(kind, inputsIn(kind, news), ignored);
  const { spec, inputs } = resource;
  const target = targetFor(run.planning, resource, { olds, isNew: Object.keys(olds).length === 0 });
  let plan = await run.plans.add(target);
  if (isLast && mayBeResolved(plan.problems)) {
    plan = await declaring.write(
      () => run.plans.add(target),
      ({ problems }) => mayBeResolved(problems),
    );
    if (mayBeResolved(plan.problems) && !declared.hasUnknown(kind)) throw new ProblemError(plan.problems);
  }
  const state = await kind.observe(spec, target.context()).catch(() => undefined);
  const outputs = storedOf(kind).outputs({ spec, state: state ?? undefined, sent: [], olds });
  const { calls } = plan.diff ?? { calls: [] };
  // The planning session expects moves of IPs, so placements are known before they are made.
  const isKnown = plan.problems.length === 0 && calls.every((call) => movesOf(call).length > 0);
  const unpredicted = Object.fromEntries(Object.keys(outputs).map((name) => [name, unknownValue]));
  const moved = calls.length > 0 && 'moved' in outputs ? { moved: unknownValue } : {};
  return {
    id: storedOf(kind).id(spec, target.context()),
    plan,
    properties: plain({ ...inputs, ...(isKnown ? { ...outputs, ...moved } : unpredicted) }),
  };
}

/** Drops undefined values, which the engine does not accept. */
export function plain(properties: Properties): Properties {
  return JSON.parse(JSON.stringify(properties));
}

interface PlannedChange {
  id: string;
  calls: readonly Call[];
  problems: readonly Problem[];
}

/** Plans a create or an update. Once something was written, the plan of the process is out of date, and the live state is read. */
export async function planChange(
  stack: Stack,
  kind: AnyKind,
  olds: Properties,
  news: Properties,
): Promise<PlannedChange> {
  const { run } = stack;
  if (!run.hasWritten) {
    const { id, plan } = await previewResource(stack, kind, olds, news);
    return { id, calls: plan.diff?.calls ?? [], problems: plan.problems };
  }
  const target = targetFor(run.live.withFreshAccount(), parseResource(kind, inputsIn(kind, news)), { olds });
  const { diff, problems } = await comparedOrProblems(target.compare);
  return { id: storedOf(kind).id(target.resource.spec, target.context()), calls: diff?.calls ?? [], problems };
}

/**
 * Returns the calls that the resource needs if no other resource is declared; undefined if it then cannot be planned. A front that does not know
 * all resources beforehand can rely on these only.
 */
export async function planAlone(
  { run }: Stack,
  kind: AnyKind,
  olds: Properties,
  news: Properties,
): Promise<readonly Call[] | undefined> {
  const resource = parseResource(kind, inputsIn(kind, news));
  const context = { ...contextFor(run.live, resource, { olds }), others: [] };
  const { diff, problems } = await comparedOrProblems(() => compareResource(resource, context));
  return problems.length === 0 ? diff?.calls : undefined;
}

/** Rejects if calls that were planned for other resources break a guard of this one, which was not known by then. @throws ProblemError */
export async function assertGuardsHold({ run }: Stack, kind: AnyKind, news: Properties): Promise<void> {
  const resource = parseResource(kind, inputsIn(kind, news));
  // The session that plans shows these calls as done.
  const context = contextFor(run.planning.withDeclared([]), resource);
  const declared = { definition: kind, spec: resource.spec };
  assertNoProblems(await guardsBrokenBy(run.plans.callsBeside(kindAndKey(resource)), declared, context));
}

/** Returns the calls of a delete. Problems that the removal of other resources may resolve are left to it. @throws ProblemError if a guard refuses it */
export async function planRemoval({ run, declared }: Stack, kind: AnyKind, olds: Properties): Promise<readonly Call[]> {
  const resource = declared.removedPart(parseResource(kind, inputsIn(kind, olds)));
  if (resource === undefined) return [];
  const context = contextFor(run.planning, resource, { olds, isDeleted: true });
  const { calls, problems } = kind.removal.diff(resource.spec, await kind.observe(resource.spec, context));
  assertGuardsKept(problems);
  return problems.length > 0 ? [] : calls;
}
