/** `webdata undo [RUN]`: takes back what a run did, unless something has changed since. */
import type { Command } from 'commander';
import { refuseDamaged } from '../sync/damagedRuns.ts';
import { reconcileInFlight } from '../sync/interrupted.ts';
import { problemsOf } from '../sync/plan.ts';
import { runWithPrefix, shortRunId } from '../sync/runId.ts';
import { planUndo } from '../sync/undo.ts';
import { applyUndo } from '../sync/undoApply.ts';
import { runToUndo } from '../sync/undoTarget.ts';
import { withoutResends } from '../sync/withheld.ts';
import { carryOut, withExclusiveWorkbench } from './carryOut.ts';
import { configIfAny } from './declaration.ts';
import { examples } from './examples.ts';
import type { ExitCode, Io, Shell } from './io.ts';
import {
  type ApplyFlags,
  allowMovesOption,
  allowSelfLockoutOption,
  resendOption,
  withConnection,
  withConsent,
  withJournal,
  withReports,
} from './options.ts';
import { reporting } from './reporting.ts';
import { runsOf } from './workbench.ts';

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
