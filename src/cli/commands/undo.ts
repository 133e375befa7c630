/** `webdata undo [RUN]`: takes back what a run did, unless something has changed since. */
import type { Command } from 'commander';
import { problemsOf } from '../../sync/plan/plan.ts';
import { refuseDamaged } from '../../sync/run/damagedRuns.ts';
import { reconcileInFlight } from '../../sync/run/interrupted.ts';
import { runWithPrefix, shortRunId } from '../../sync/run/runId.ts';
import { withoutResends } from '../../sync/run/withheld.ts';
import { runToUndo } from '../../sync/undo/target.ts';
import { planUndo } from '../../sync/undo/undo.ts';
import { applyUndo } from '../../sync/undo/undoApply.ts';
import { runsOf } from '../execution/commandContext.ts';
import { configIfAny } from '../execution/declaration.ts';
import { carryOut, withExclusiveWorkbench } from '../execution/executePlan.ts';
import { examples } from '../options/examples.ts';
import {
  type ApplyFlags,
  allowMovesOption,
  allowSelfLockoutOption,
  resendOption,
  withConnection,
  withConsent,
  withJournal,
  withReports,
} from '../options/options.ts';
import type { ExitCode, Io, Shell } from '../output/io.ts';
import { reporting } from '../output/reporting.ts';

export function addUndo(command: Command, { io, end }: Shell): void {
  withConsent(withJournal(withReports(withConnection(command))))
    .addOption(allowMovesOption())
    .addOption(allowSelfLockoutOption())
    .addOption(resendOption())
    .argument('[run]', 'a run, by at least 4 characters of its id (default: the last one)')
    .addHelpText(
      'after',
      examples({
        'webdata undo': 'the last run, after showing the plan and asking',
        'webdata undo --yes --report markdown=undo.md': 'without asking, and with a report in a file',
      }),
    )
    .action(async (run: string | undefined, flags: ApplyFlags) =>
      end(await reporting('undo', flags, io, () => undo(run, flags, io))),
    );
}

async function undo(prefix: string | undefined, flags: ApplyFlags, io: Io): Promise<ExitCode> {
  return withExclusiveWorkbench('undo', flags, io, await configIfAny(flags, io), async (workbench) => {
    const { config, session, settleMs, journal } = workbench;
    const runs = await runsOf(workbench);
    // A wrong id is refused before anything is waited for.
    if (prefix !== undefined) runWithPrefix(runs, prefix);
    refuseDamaged(runs, prefix);
    const withheld = await reconcileInFlight(runs, session, { settleMs, journal, resend: flags.resend });
    const run = runToUndo(runs, prefix);
    const undoing = await planUndo(run, runs, config, session, settleMs);
    const plan = withoutResends(undoing.plan, withheld);
    return carryOut(
      {
        plan,
        refused: problemsOf(plan).length > 0,
        mode: 'undo',
        question: `Undo run ${shortRunId(run)}?`,
        header: { command: 'undo', undoes: run.id },
        act: (writer) => applyUndo(undoing, config, session, writer),
      },
      workbench,
      flags,
      io,
    );
  });
}
