/** The calls of a report that change properties, not IPs. */
import { type ResourceId, resourceTitle } from '../../engine/plan/plan.ts';
import type { Call } from '../../kinds/call.ts';
import { type CallChange, callWords, type ReportSection } from '../../kinds/callWords.ts';
import type { PropertyChange } from '../../kinds/changes.ts';
import { describeCall } from '../../kinds/shownCalls.ts';
import { styleOf } from '../text/style.ts';
import type { Report } from './report.ts';
import { callResults } from './results.ts';

const plain = styleOf({ color: false });

export interface ChangedResource {
  title: string;
  section: ReportSection;
  calls: ChangedCall[];
  /** The planned changes of the resource. */
  planned: PropertyChange[];
}

interface ChangedCall {
  call: Call;
  changes: readonly CallChange[];
  /** The outcome in words. Absent for a plan. */
  words?: string;
}

export function changedResources(report: Report): ChangedResource[] {
  const isRun = report.about === 'run';
  const { resources } = isRun ? report.result.plan : report.plan;
  const planned = new Map(resources.map((resource) => [resourceTitle(resource), resource.changes]));
  const all: { id: ResourceId; calls: readonly Omit<ChangedCall, 'changes'>[] }[] = isRun
    ? report.result.resources.map((id) => ({ id, calls: callResults(id, plain) }))
    : resources.map((id) => ({ id, calls: id.calls.map((call) => ({ call })) }));
  return all.flatMap(({ id, calls }) => {
    const title = resourceTitle(id);
    const changes = planned.get(title) ?? [];
    const changed = calls
      .map((each): ChangedCall => ({ ...each, changes: changesOf(each.call, changes) }))
      .filter((each) => each.changes.length > 0);
    const [first] = changed;
    if (first === undefined) return [];
    return [{ title, section: callWords.of(first.call).section, calls: changed, planned: changes }];
  });
}

/** Returns nothing for a call that moves IPs. */
function changesOf(call: Call, planned: readonly PropertyChange[]): readonly CallChange[] {
  const { changes, items, subject } = describeCall(call, planned);
  if (changes.length > 0 || items.length === 0) return changes;
  return [{ kind: 'change', name: subject, after: items.join(', ') }];
}
