/**
 * Drift is a plan less what can't be observed (a port that nobody can see is no difference) and less the guards: these are about
 * doing, and what would not be done is still a difference.
 */
import type { Plan, ResourcePlan } from './plan.ts';

const guards = new Set(['protected', 'below-floor', 'too-many-moves', 'self-lockout']);

export function driftIn({ resources }: Plan): Plan {
  return { resources: resources.map(driftOf) };
}

function driftOf(resource: ResourcePlan): ResourcePlan {
  const { calls, changes, problems } = resource;
  const unseen = new Set(calls.flatMap((call) => (call.type === 'deletePorts' && !call.observed ? call.ports : [])));
  return {
    ...resource,
    calls: calls.filter((call) => call.type !== 'deletePorts' || call.observed),
    changes: changes.filter(({ path: [what, port] }) => what !== 'ports' || !unseen.has(Number(port))),
    problems: problems.filter(({ code }) => !guards.has(code)),
  };
}
