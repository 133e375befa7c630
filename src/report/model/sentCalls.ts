/** The calls of a report with their outcomes, and those that change properties, not IPs. */
import { resourceTitle } from '../../engine/plan/plan.ts';
import type { Call } from '../../kinds/call.ts';
import { type CallChange, callWords, type ReportSection } from '../../kinds/callWords.ts';
import type { PropertyChange } from '../../kinds/changes.ts';
import { describeCall } from '../../kinds/shownCalls.ts';
import { outcomeWords } from '../text/outcomes.ts';
import { styleOf } from '../text/style.ts';
import type { Report } from './report.ts';

export interface CallWithOutcome {
  call: Call;
  /** Empty for a plan. */
  outcome: string;
}

const plain = styleOf({ color: false });

/** Returns the calls of each resource, with their outcomes. */
export function sentCalls(report: Report): { title: string; calls: CallWithOutcome[] }[] {
  if (report.about === 'plan') {
    return report.plan.resources.map((resource) => ({
      title: resourceTitle(resource),
      calls: resource.calls.map((call) => ({ call, outcome: '' })),
    }));
  }
  return report.result.resources.map((resource) => ({
    title: resourceTitle(resource),
    calls: [
      ...resource.made.map((journaled) => ({ call: journaled.call, outcome: outcomeWords(journaled, plain) })),
      ...resource.notMade.map((call) => ({ call, outcome: 'not sent' })),
    ],
  }));
}

export interface ChangedResource {
  title: string;
  section: ReportSection;
  calls: (CallWithOutcome & { changes: readonly CallChange[] })[];
  /** The planned changes of the resource. */
  planned: PropertyChange[];
}

export function changedResources(report: Report): ChangedResource[] {
  const plan = report.about === 'run' ? report.result.plan : report.plan;
  const changes = new Map(plan.resources.map((resource) => [resourceTitle(resource), resource.changes]));
  return sentCalls(report).flatMap(({ title, calls }) => {
    const planned = changes.get(title) ?? [];
    const changed = calls.flatMap((each) => {
      const its = changesOf(each.call, planned);
      return its.length === 0 ? [] : [{ ...each, changes: its }];
    });
    const [first] = changed;
    return first === undefined ? [] : [{ title, section: callWords.of(first.call).section, calls: changed, planned }];
  });
}

/** Returns nothing for a call that moves IPs. */
function changesOf(call: Call, planned: readonly PropertyChange[]): readonly CallChange[] {
  const { changes, items, subject } = describeCall(call, planned);
  if (changes.length > 0 || items.length === 0) return changes;
  return [{ kind: 'change', name: subject, after: items.join(', ') }];
}
