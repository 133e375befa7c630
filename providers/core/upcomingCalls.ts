/** Plans of resources outside of a create, an update or a delete, for fronts that show calls before they are sent. */
import { assertNoProblems, type Problem } from '../../src/base/diagnostics/problem.ts';
import type { Call } from '../../src/kinds/call.ts';
import type { AnyKind, Properties } from '../../src/kinds/kind.ts';
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

/** Returns the calls of a delete. Problems that the removal of other resources may resolve are left to it. @throws ProblemError if a guard refuses it */
export async function planRemoval(stack: Stack, kind: AnyKind, olds: Properties): Promise<readonly Call[]> {
  const resource = parseResource(kind, inputsIn(kind, olds));
  const context = contextFor(stack.planning, resource, { olds, isDeleted: true });
  const { calls, problems } = kind.removal.diff(resource.spec, await kind.observe(resource.spec, context));
  const refused = problems.filter(({ code }) => Object.hasOwn(kind.guards, code));
  assertNoProblems(refused);
  return problems.length > 0 ? [] : calls;
}
