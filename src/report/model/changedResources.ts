/** The resources whose properties calls change, and the calls. Calls that move IPs are not among them. */
import { resourceTitle } from '../../engine/doors/plan.ts';
import { type CallChange, callWords, type ReportSection } from '../../kinds/seam/callWords.ts';
import type { PropertyChange } from '../../kinds/seam/changes.ts';
import { describeCall } from '../../kinds/shownCalls.ts';
import type { ReportedCall } from './calls.ts';
import type { ReportedResource } from './resources.ts';

export interface ChangedResource {
  title: string;
  section: ReportSection;
  calls: (ReportedCall & { changes: readonly CallChange[] })[];
  /** The planned changes of the resource. */
  planned: PropertyChange[];
}

export function changedResources(resources: readonly ReportedResource[]): ChangedResource[] {
  return resources.flatMap((resource) => {
    const { calls: all, changes: planned } = resource;
    const calls = all
      .map((each) => ({ ...each, changes: changesOf(each, planned) }))
      .filter(({ changes }) => changes.length > 0);
    const [first] = calls;
    if (first === undefined) return [];
    return [{ title: resourceTitle(resource), section: callWords.of(first.call).section, calls, planned }];
  });
}

/** Returns nothing for a call that moves IPs. */
function changesOf({ call }: ReportedCall, planned: readonly PropertyChange[]): readonly CallChange[] {
  const { changes, items, subject } = describeCall(call, planned);
  if (changes.length > 0 || items.length === 0) return changes;
  return [{ kind: 'change', name: subject, after: items.join(', ') }];
}
