/** Drift is a plan less what can't be observed: a port that nobody can see is no difference. */
import type { Plan } from './plan.ts';

export function driftIn({ resources }: Plan): Plan {
  return {
    resources: resources.map((resource) => {
      const unseen = new Set(
        resource.calls.flatMap((call) => (call.type === 'deletePorts' && !call.observed ? call.ports : [])),
      );
      return {
        ...resource,
        calls: resource.calls.filter((call) => call.type !== 'deletePorts' || call.observed),
        changes: resource.changes.filter(({ path: [what, port] }) => what !== 'ports' || !unseen.has(Number(port))),
      };
    }),
  };
}
