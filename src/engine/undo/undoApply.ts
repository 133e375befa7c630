/** Carries out a planned undo: every call is verified again before it is sent, and confirmed by reading back. */

import { areSameCalls, callTypeOf } from '../../kinds/knownCalls.ts';
import type { Call } from '../../kinds/seam/call.ts';
import type { SendingUndo } from '../../kinds/seam/callType.ts';
import type { Config } from '../declaration/config.ts';
import type { ActiveRun } from '../run/activeRun.ts';
import { applyResource, skipped } from '../run/apply.ts';
import type { ApplyResult, ResourceResult } from '../run/applyResult.ts';
import type { Session } from '../run/session.ts';
import { declaredGuards } from './guards.ts';
import { incomplete, kindOf, type UndoPlan, undoOf } from './undo.ts';

/** Undoes one resource after the other; stops only if nothing more may be sent. */
export async function applyUndo(
  { plan, resources, recent }: UndoPlan,
  config: Config,
  session: Session,
  run: ActiveRun,
): Promise<ApplyResult> {
  const live = session.withFreshAccount();
  const results: ResourceResult[] = [];
  let hasEnded = false;
  for (const resource of resources) {
    if (hasEnded) {
      results.push(skipped(resource));
      continue;
    }
    const { plan: planned, done, left } = resource;
    const guardsFor = (call: Call) => declaredGuards(planned, callTypeOf(call).target(call), config, live);
    const { result, ends } = await applyResource(planned, live, run, {
      definition: kindOf(planned.collection),
      send: (context) => sendSteps(stepsOf(planned.calls), { context, done, recent }, guardsFor),
    });
    const isUndone = result.outcome === 'done' || result.outcome === 'nothing';
    results.push(isUndone ? { ...result, problems: incomplete(left) } : result);
    hasEnded = ends;
  }
  return { plan, resources: results };
}

/** Calls of one type that are sent together, before any of them is read back. */
type Step = [Call, ...Call[]];

async function sendSteps(
  steps: readonly Step[],
  undoing: Pick<SendingUndo, 'context' | 'done' | 'recent'>,
  guardsFor: (call: Call) => ReturnType<SendingUndo['readGuards']>,
): Promise<void> {
  for (const [index, step] of steps.entries()) {
    undoing.context.signal?.throwIfAborted();
    await undoOf(step[0]).send(step, {
      ...undoing,
      context: { ...undoing.context, isPlanned: (calls) => areSameCalls(calls, step) },
      later: steps.slice(index + 1).flat(),
      readGuards: () => guardsFor(step[0]),
    });
  }
}

function stepsOf(calls: readonly Call[]): Step[] {
  const steps: Step[] = [];
  for (const call of calls) {
    const last = steps.at(-1);
    if (last?.[0].type === call.type && undoOf(call).joins(last, call)) last.push(call);
    else steps.push([call]);
  }
  return steps;
}
