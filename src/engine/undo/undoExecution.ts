/** Plans the undo of a run as an execution. */
import { confirmedByUndo } from '../baseline/confirmed.ts';
import type { Execution } from '../carryOut.ts';
import { type PlanningContext, runsOf } from '../context.ts';
import type { PlanningOptions } from '../options.ts';
import { isRefused } from '../plan/resources.ts';
import { reconcileInFlight, withoutResends } from '../run/inFlight.ts';
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
  const { config, session, lagMs, log, during } = context;
  const runs = await runsOf(context);
  // A wrong ID is refused before waiting for open calls.
  if (prefix !== undefined) runWithPrefix(runs, prefix);
  refuseDamaged(runs, prefix);
  const { withheld, run, undoing } = await during('reading the live state', async () => {
    const withheld = await reconcileInFlight(runs, session, { lagMs, record: log.record, resend });
    const run = runToUndo(runs, prefix);
    return { withheld, run, undoing: await planUndo(run, runs, config, session, lagMs) };
  });
  const plan = withoutResends(undoing.plan, withheld);
  const resources = plan.resources.map((each, index) => ({ plan: each, unread: undoing.resources[index]?.unread }));
  return {
    plan,
    refused: isRefused(resources),
    mode: 'undo',
    header: { command: 'undo', undoes: run.id },
    act: (writer) => applyUndo(undoing, config, session, writer),
    confirmed: (result) => (result === undefined ? [] : confirmedByUndo(result, run.id)),
  };
}
