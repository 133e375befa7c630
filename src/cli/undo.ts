/** `webdata undo [RUN]`: takes back what a run did, unless it was changed since. */
import type { Command } from 'commander';
import { settleInterrupted } from '../sync/interrupted.ts';
import { problemsOf } from '../sync/plan.ts';
import { applyUndo, planUndo, runToUndo } from '../sync/undo.ts';
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
    .argument('[run]', 'another run, as `webdata history` names it')
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

async function undo(id: string | undefined, flags: ApplyFlags, io: Io): Promise<ExitCode> {
  return withExclusiveWorkbench(flags, io, await configIfAny(flags, io), async (workbench) => {
    const { runs, session, settleMs, journal } = workbench;
    await settleInterrupted(runs, session, settleMs, journal);
    const run = runToUndo(runs, id);
    const plan = await planUndo(run, workbench.config, session);
    return carryOut(
      {
        plan,
        refused: problemsOf(plan).length > 0,
        mode: 'undo',
        question: `Undo run ${run.id.slice(0, 8)}?`,
        header: { command: 'undo', undoes: run.id },
        act: (writer) => applyUndo(plan, session, writer),
      },
      workbench,
      flags,
      io,
    );
  });
}
