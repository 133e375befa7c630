/** The calls of a plan. An apply asks for changed resources only, so a plan shows what holds without the others. */
import { assertNoProblems, type Problem } from '../../src/base/diagnostics/problem.ts';
import { assertGuardsKept, comparedOrProblems, guardsBrokenBy } from '../../src/engine/doors/front.ts';
import type { Call } from '../../src/kinds/seam/call.ts';
import type { AnyKind, Properties } from '../../src/kinds/seam/kind.ts';
import { contextFor, inputsIn, kindAndKey, parseResource, type Resource } from '../core/resource.ts';
import type { Stack } from '../core/stack.ts';
import { storedOf } from '../core/stored/table.ts';
import { compareResource, targetFor } from '../core/target.ts';

interface PlannedChange {
  id: string;
  calls: readonly Call[];
  problems: readonly Problem[];
}

/** Plans a create or an update. Once something was written, the plan of the process is out of date, and the live state is read. */
export async function planChange({ run }: Stack, resource: Resource, olds: Properties): Promise<PlannedChange> {
  const session = run.hasWritten ? run.live.withFreshAccount() : run.planning;
  const target = targetFor(session, resource, { olds });
  const { diff, problems } = run.hasWritten ? await comparedOrProblems(target.compare) : await run.plans.add(target);
  return {
    id: storedOf(resource.kind).id(resource.spec, target.context()),
    calls: diff?.calls ?? [],
    problems,
  };
}

/**
 * Returns the calls that the resource needs if no other resource is declared; undefined if it then cannot be planned. A front that does not know
 * all resources beforehand can rely on these only.
 */
export async function planAlone(
  { run }: Stack,
  resource: Resource,
  olds: Properties,
): Promise<readonly Call[] | undefined> {
  const context = { ...contextFor(run.live, resource, { olds }), others: [] };
  const { diff, problems } = await comparedOrProblems(() => compareResource(resource, context));
  return problems.length === 0 ? diff?.calls : undefined;
}

/** Rejects if calls that were planned for other resources break a guard of this one, which was not known by then. @throws ProblemError */
export async function assertGuardsHold({ run }: Stack, resource: Resource): Promise<void> {
  // The session that plans shows these calls as done.
  const context = contextFor(run.planning.withDeclared([]), resource);
  const declared = { definition: resource.kind, spec: resource.spec };
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
