/** The result of a run, and the calls of earlier runs whose outcome is still open. */
import type { Problem } from '../../base/diagnostics/problem.ts';
import { callTypeOf } from '../../kinds/knownCalls.ts';
import type { Call } from '../../kinds/seam/call.ts';
import type { Plan, ResourceId } from '../plan/plan.ts';
import type { JournaledCall, Run } from './journal.ts';

/** Returns the calls of a run whose outcome is still open and can be looked up. */
export function openCalls({ calls }: Pick<Run, 'calls'>): JournaledCall[] {
  return calls.filter((sent) => callTypeOf(sent.call).reconcile?.isOpen(sent));
}

export interface ApplyResult {
  plan: Plan;
  resources: ResourceResult[];
}

export interface ResourceResult extends ResourceId {
  /** `nothing` to do; `skipped` because of a failure before it. */
  outcome: 'done' | 'nothing' | 'failed' | 'skipped';
  made: JournaledCall[];
  /** Planned and not sent. */
  notMade: Call[];
  problems: Problem[];
}

/** Reports whether a resource failed or was skipped, or has problems. */
export function hasFailed({ resources }: ApplyResult): boolean {
  return resources.some(({ outcome, problems }) => ['failed', 'skipped'].includes(outcome) || problems.length > 0);
}
