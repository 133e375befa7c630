/** The result of a run, and the calls of earlier runs whose outcome is still open. */
import type { Problem } from '../../diagnostics/problem.ts';
import type { Call } from '../../kinds/call.ts';
import type { Flow } from '../../kinds/callType.ts';
import { callTypeOf, outcomeOf } from '../../kinds/knownCalls.ts';
import type { Plan, ResourceId } from '../plan/plan.ts';
import type { JournaledCall, Run } from './journal.ts';

/** A journaled call that moves IPs from one zone to another. */
export interface JournaledMove {
  sent: JournaledCall;
  flow: Flow;
}

/** Moves whose outcome is not known for all of their IPs, and that can still be looked up in the listings. */
export function openMoves(run: Run): JournaledMove[] {
  const isSettled = ({ seen }: JournaledCall) =>
    seen && (seen.final || !('moved' in seen && seen.notVisible.length > 0));
  return movesIn(run.calls).filter(({ sent }) => ['unknown', 'accepted'].includes(outcomeOf(sent)) && !isSettled(sent));
}

export function movesIn(calls: readonly JournaledCall[]): JournaledMove[] {
  return calls.flatMap((sent) => {
    const { flow } = callTypeOf(sent.call).describe(sent.call, []);
    return flow === undefined ? [] : [{ sent, flow }];
  });
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
