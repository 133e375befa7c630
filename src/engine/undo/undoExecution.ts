/** Plans and carries out the undo of a run: every call is verified again before it is sent, and confirmed by reading back. */

import { areSameCalls, callTypeOf } from '../../kinds/knownCalls.ts';
import type { Call } from '../../kinds/seam/call.ts';
import type { SendingUndo } from '../../kinds/seam/callType.ts';
import { confirmedByUndo } from '../baseline/confirmed.ts';
import type { Execution } from '../carryOut.ts';
import { type PlanningContext, runsOf } from '../context.ts';
import type { Config } from '../declaration/config.ts';
import type { PlanningOptions } from '../options.ts';
import { isRefused } from '../plan/resources.ts';
import type { ActiveRun } from '../run/activeRun.ts';
import { applyResource, skipped } from '../run/apply.ts';
import type { ApplyResult, ResourceResult } from '../run/applyResult.ts';
import { runWithPrefix } from '../run/runId.ts';
import type { Session } from '../run/session.ts';
import { declaredGuards } from './guards.ts';
import { refuseDamaged, runToUndo } from './target.ts';
import { incomplete, kindOf, planUndo, type UndoPlan, undoOf } from './undo.ts';

/** @throws ProblemError if there is nothing to undo, or the run is not known well enough */
export async function undoExecution(
  prefix: string | undefined,
  context: PlanningContext,
  { resend }: PlanningOptions,
): Promise<Execution> {
  const { config, session, lagMs, log, recentRuns, inFlight, during } = context;
  const runs = await runsOf(context);
  // A wrong ID is refused before waiting for open calls.
  if (prefix !== undefined) runWithPrefix(runs, prefix);
  refuseDamaged(runs, prefix);
  const { run, undoing } = await during('reading the live state', async () => {
    const others = recentRuns.filter(({ isOfOther }) => isOfOther);
    await inFlight.lookUp([...runs, ...others], session, { record: log.record, resend });
    const run = runToUndo(runs, prefix);
    return { run, undoing: await planUndo(run, runs, config, session, lagMs) };
  });
  const resources = undoing.resources.map(({ plan, unread }) => {
    return { plan: { ...plan, problems: [...plan.problems, ...inFlight.problems(plan.calls)] }, unread };
  });
  return {
    plan: { resources: resources.map(({ plan }) => plan) },
    refused: isRefused(resources),
    mode: 'undo',
    header: { command: 'undo', undoes: run.id },
    undone: run,
    act: (run) => applyUndo(undoing, config, session, run),
    confirmed: (result) => (result === undefined ? [] : confirmedByUndo(result, run.id)),
  };
}

/** Undoes one resource after the other; stops only if nothing more may be sent. */
async function applyUndo(
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
