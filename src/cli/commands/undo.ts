/** `webdata undo [RUN]`. */
import type { Command } from 'commander';
import { runsOf } from '../../operations/context.ts';
import { configIfAny } from '../../operations/declaration.ts';
import { settledByUndo } from '../../sync/baseline/settled.ts';
import { isRefused } from '../../sync/plan/planned.ts';
import { reconcileInFlight, withoutResends } from '../../sync/run/inFlight.ts';
import { runWithPrefix, shortRunId } from '../../sync/run/runId.ts';
import { refuseDamaged, runToUndo } from '../../sync/undo/target.ts';
import { planUndo } from '../../sync/undo/undo.ts';
import { applyUndo } from '../../sync/undo/undoApply.ts';
import { withExclusiveContext } from '../execution/commandContext.ts';
import { executePlan } from '../execution/executePlan.ts';
import { parallelismOption, withConnection, withConsent, withGuardOptions, withJournal } from '../options/options.ts';
import { type ApplyFlags, resendOption, withReports } from '../options/planning.ts';
import { addExamples } from '../options/values.ts';
import type { ExitCode, Io, Shell } from '../output/io.ts';
import { runWithReports } from '../output/reporting.ts';

const usage = {
  'webdata undo': 'show how the last run is undone, and ask',
  'webdata undo --yes --report markdown=undo.md': 'without asking, with a report in a file',
};

export function addUndo(command: Command, { io, end }: Shell): void {
  withGuardOptions(withConsent(withJournal(withReports(withConnection(command)))))
    .addOption(parallelismOption())
    .addOption(resendOption())
    .argument('[run]', 'at least 4 characters of a run ID (default: the last run)')
    .action(async (run: string | undefined, flags: ApplyFlags) =>
      end(await runWithReports('undo', flags, io, (its) => undo(run, flags, its))),
    );
  addExamples(command, usage);
}

async function undo(prefix: string | undefined, flags: ApplyFlags, io: Io): Promise<ExitCode> {
  return withExclusiveContext('undo', flags, io, await configIfAny(flags, io), async (context) => {
    const { config, session, settleMs, log } = context;
    const runs = await runsOf(context);
    // A wrong ID is refused before waiting for open calls.
    if (prefix !== undefined) runWithPrefix(runs, prefix);
    refuseDamaged(runs, prefix);
    const withheld = await reconcileInFlight(runs, session, { settleMs, record: log.record, resend: flags.resend });
    const run = runToUndo(runs, prefix);
    const undoing = await planUndo(run, runs, config, session, settleMs);
    const plan = withoutResends(undoing.plan, withheld);
    return executePlan(
      {
        plan,
        refused: isRefused(
          plan.resources.map((each, index) => ({ plan: each, unread: undoing.resources[index]?.unread })),
        ),
        mode: 'undo',
        header: { command: 'undo', undoes: run.id },
        act: (writer) => applyUndo(undoing, config, session, writer),
        settled: (result) => (result === undefined ? [] : settledByUndo(result, run.id)),
      },
      `Undo run ${shortRunId(run)}?`,
      context,
      flags,
      io,
    );
  });
}
