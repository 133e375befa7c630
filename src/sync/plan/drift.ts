/**
 * Drift is a plan less what can't be observed (a port that nobody can see is no difference) and less the guards: these are about
 * doing, and what would not be done is still a difference.
 */
import type { Call } from '../../kinds/call.ts';
import { callTypeOf } from '../../kinds/knownCalls.ts';
import { fromKinds, kinds } from '../../kinds/registry.ts';
import type { Plan, ResourcePlan } from './plan.ts';

const guardCodes = fromKinds(() => new Set(kinds.flatMap(({ guards }) => Object.keys(guards))));

export function driftIn({ resources }: Plan): Plan {
  return { resources: resources.map(driftOf) };
}

function driftOf(resource: ResourcePlan): ResourcePlan {
  const { calls, changes, problems } = resource;
  const isObserved = (call: Call) => callTypeOf(call).isObserved?.(call) ?? true;
  const unseen = calls.filter((call) => !isObserved(call)).flatMap((call) => callTypeOf(call).changes?.(call) ?? []);
  const paths = new Set(unseen.map(({ path }) => JSON.stringify(path)));
  return {
    ...resource,
    calls: calls.filter(isObserved),
    changes: changes.filter(({ path }) => !paths.has(JSON.stringify(path))),
    problems: problems.filter(({ code }) => !guardCodes().has(code)),
  };
}
