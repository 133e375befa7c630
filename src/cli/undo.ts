/** `webdata undo [RUN]`: takes back what a run did, unless something has changed since. */
import type { Command } from 'commander';
import { settleInterrupted } from '../sync/interrupted.ts';
import { problemsOf } from '../sync/plan.ts';
import { runWithPrefix, shortRunId } from '../sync/runId.ts';
import { planUndo } from '../sync/undo.ts';
import { applyUndo } from '../sync/undoApply.ts';
import { runToUndo } from '../sync/undoTarget.ts';
import { carryOut, withExclusiveWorkbench } from './carryOut.ts';
import { configIfAny } from './declaration.ts';
import { examples } from './examples.ts';
import type { ExitCode, Io, Shell } from './io.ts';
import {
  type ApplyFlags,
  allowMovesOption,
  allowSelfLockoutOption,
  withConnection,
  withConsent,
  withJournal,
  withReports,
} from './options.ts';
import { reporting } from './reporting.ts';

export function addUndo(command: Command, { io, end }: Shell): void {
  withConsent(withJournal(withReports(withConnection(command))))
    .addOption(allowMovesOption())
    .addOption(allowSelfLockoutOption())
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
  return withExclusiveWorkbench(flags, io, await configIfAny(flags, io), async (workbench) => {
    const { config, runs, session, settleMs, journal } = workbench;
    // A wrong id is refused before anything is waited for.
    if (prefix !== undefined) runWithPrefix(runs, prefix);
    await settleInterrupted(runs, session, settleMs, journal);
    const run = runToUndo(runs, prefix);
    const undoing = await planUndo(run, runs, config, session, settleMs);
    const { plan } = undoing;
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
