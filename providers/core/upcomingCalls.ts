/** Plans of resources outside of a create, an update or a delete, for fronts that show calls before they are sent. */
import { assertNoProblems, type Problem } from '../../src/base/diagnostics/problem.ts';
import { guardsBrokenBy } from '../../src/engine/doors/run.ts';
import type { Call } from '../../src/kinds/seam/call.ts';
import type { AnyKind, Properties } from '../../src/kinds/seam/kind.ts';
import { previewResource } from './lifecycle.ts';
import { planResource } from './preview.ts';
import { contextFor, inputsIn, parseResource } from './resource.ts';
import type { Stack } from './stack.ts';
import { storedOf } from './stored/table.ts';

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
  if (!stack.run.hasWritten) {
    const { id, plan } = await previewResource(stack, kind, olds, news);
    return { id, calls: plan.diff?.calls ?? [], problems: plan.problems };
  }
  const resource = parseResource(kind, inputsIn(kind, news));
  const context = contextFor(stack.live.withFreshAccount(), resource, { olds });
  const { diff, problems } = await planResource(resource, context);
  return { id: storedOf(kind).id(resource.spec, context), calls: diff?.calls ?? [], problems };
}

/**
 * Returns the calls that the resource needs if no other resource is declared; undefined if it then cannot be planned. A front that does not know
 * all resources beforehand can rely on these only.
 */
export async function planAlone(
  stack: Stack,
  kind: AnyKind,
  olds: Properties,
  news: Properties,
): Promise<readonly Call[] | undefined> {
  const resource = parseResource(kind, inputsIn(kind, news));
  const { diff, problems } = await planResource(resource, {
    ...contextFor(stack.live, resource, { olds }),
    others: [],
  });
  return problems.length === 0 ? diff?.calls : undefined;
}

/** Rejects if calls that were planned for other resources break a guard of this one, which was not known by then. @throws ProblemError */
export async function assertGuardsHold({ planner, planning }: Stack, kind: AnyKind, news: Properties): Promise<void> {
  const resource = parseResource(kind, inputsIn(kind, news));
  // The session that plans shows these calls as done.
  const context = contextFor(planning.withDeclared([]), resource);
  const declared = { definition: kind, spec: resource.spec };
  assertNoProblems(await guardsBrokenBy(planner.callsBeside(resource), declared, context));
}
