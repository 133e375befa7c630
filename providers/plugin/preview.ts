/** Previews: what a create or an update would do, and the properties that the state would then have. */
import { ProblemError } from '../../src/base/diagnostics/problem.ts';
import { mayBeResolved, type PlannedDiff } from '../../src/engine/doors/front.ts';
import { movesOf } from '../../src/kinds/knownCalls.ts';
import type { AnyKind, Properties } from '../../src/kinds/seam/kind.ts';
import { inputsIn, parseResource } from '../core/resource.ts';
import type { Stack } from '../core/stack.ts';
import type { PropertyPath } from '../core/stored/storedResource.ts';
import { storedOf } from '../core/stored/table.ts';
import { plain, targetFor } from '../core/target.ts';
import { unknownValue } from '../core/unknown.ts';

/**
 * Returns what a create or update would do, from the plan of the preview, and the properties that the state would then have. A property that
 * cannot be predicted is `unknownValue`. The program goes on declaring during the call, so what no other resource resolves meanwhile is an error.
 * @throws ProblemError
 */
export async function previewResource(
  { run, declared, declaring }: Stack,
  kind: AnyKind,
  olds: Properties,
  news: Properties,
  ignored: readonly PropertyPath[] = [],
): Promise<{ id: string; plan: PlannedDiff; properties: Properties }> {
  const resource = parseResource(kind, inputsIn(kind, news), ignored);
  const { spec, inputs } = resource;
  const target = targetFor(run.planning, resource, { olds, isNew: Object.keys(olds).length === 0 });
  let plan = await run.plans.add(target);
  if (mayBeResolved(plan.problems)) {
    for await (const _ of declaring.tries()) {
      plan = await run.plans.add(target);
      if (!mayBeResolved(plan.problems)) break;
    }
    if (mayBeResolved(plan.problems) && !declared.hasUnknown(kind)) throw new ProblemError(plan.problems);
  }
  const state = await kind.observe(spec, target.context()).catch(() => undefined);
  const outputs = storedOf(kind).outputs({ spec, state: state ?? undefined, sent: [], olds });
  const { calls } = plan.diff ?? { calls: [] };
  // The planning session expects moves of IPs, so placements are known before they are made.
  const isKnown = plan.problems.length === 0 && calls.every((call) => movesOf(call).length > 0);
  const moved = calls.length > 0 && 'moved' in outputs ? { moved: unknownValue } : {};
  return {
    id: storedOf(kind).id(spec, target.context()),
    plan,
    properties: isKnown ? plain({ ...inputs, ...outputs, ...moved }) : unpredicted(kind, inputs),
  };
}

export function unpredicted(kind: AnyKind, inputs: Properties): Properties {
  const outputs = Object.keys(storedOf(kind).outputSchema.shape).map((name) => [name, unknownValue]);
  return { ...inputs, ...Object.fromEntries(outputs) };
}
