/** The outcomes of runs for the baseline. Failed and skipped resources are not confirmed: they keep what was recorded before. */
import { resourceKey } from '../plan/plan.ts';
import type { Planned } from '../plan/resources.ts';
import type { ApplyResult } from '../run/applyResult.ts';
import type { Confirmed } from './baseline.ts';
import { factsOfApplied, keptSpec } from './compare.ts';

/** `result` is undefined if there was nothing to do, and so no run. */
export function confirmedByApply(planned: readonly Planned[], result: ApplyResult | undefined): Confirmed[] {
  const outcomes = new Map(result?.resources.map((resource) => [resourceKey(resource), resource.outcome]));
  return planned.flatMap((each) => {
    const outcome = result === undefined ? 'nothing' : outcomes.get(resourceKey(each.plan));
    return outcome === 'done' || outcome === 'nothing' ? confirmedOne(each, outcome) : [];
  });
}

function confirmedOne(planned: Planned, outcome: 'done' | 'nothing'): Confirmed[] {
  const { declared, intent, plan } = planned;
  const { kind, collection, name } = plan;
  const resource = { kind, collection, name };
  if (intent === 'update') {
    const spec = keptSpec(planned);
    const facts = factsOfApplied(planned);
    return spec === undefined ? [] : [{ resource, is: 'applied', spec, facts, sent: outcome === 'done' }];
  }
  // An undeclared registration that stays is not part of the declaration.
  return declared.spec === undefined && outcome === 'nothing' ? [] : [{ resource, is: 'removed' }];
}

/**
 * A resource whose calls were undone is as it was before the run, so the baseline gets back the entry from before the run. What the
 * declaration still asks for then counts as pending, and not as drift.
 */
export function confirmedByUndo({ resources }: ApplyResult, run: string): Confirmed[] {
  return resources
    .filter(({ outcome }) => outcome === 'done')
    .map(({ kind, collection, name }) => ({ resource: { kind, collection, name }, is: 'undone', run }));
}
