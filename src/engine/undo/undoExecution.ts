/** Plans the undo of a run as an execution. */
import { confirmedByUndo } from '../baseline/confirmed.ts';
import type { Execution } from '../carryOut.ts';
import { type PlanningContext, runsOf } from '../context.ts';
import type { PlanningOptions } from '../options.ts';
import { isRefused } from '../plan/resources.ts';
import { runWithPrefix } from '../run/runId.ts';
import { refuseDamaged, runToUndo } from './target.ts';
import { planUndo } from './undo.ts';
import { applyUndo } from './undoApply.ts';

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
