/** `webdata undo [RUN]`. */
import type { Command } from 'commander';
import { utcTime } from '../../base/values/utcTime.ts';
import { openAccount } from '../../engine/account.ts';
import type { Run } from '../../engine/doors/history.ts';
import { type AccountPlan, shortRunId, startedByText } from '../../engine/doors/plan.ts';
import { askAndApply } from '../execution/askAndApply.ts';
import { accountOptions } from '../execution/commandContext.ts';
import { type ApplyFlags, resendOption, withReports } from '../options/coreCommands.ts';
import { parallelismOption, withConnection, withConsent, withGuardOptions, withJournal } from '../options/options.ts';
import { addExamples } from '../options/values.ts';
import type { ExitCode, Io, Shell } from '../output/io.ts';
import { runWithReports } from '../output/reporting.ts';

export function addUndo(command: Command, { io, end }: Shell): void {
  withGuardOptions(withConsent(withJournal(withReports(withConnection(command)))))
    .addOption(parallelismOption())
    .addOption(resendOption())
    .argument('[run]', 'at least 4 characters of a run ID (default: the last run)')
    .action(async (run: string | undefined, flags: ApplyFlags) =>
      end(await runWithReports('undo', flags, io, (reportIo) => undo(run, flags, reportIo))),
    );
  addExamples(command, {
    'webdata undo': 'show how the last run is undone, and ask',
    'webdata undo --yes --report markdown=undo.md': 'without asking, with a report in a file',
  });
}

async function undo(run: string | undefined, flags: ApplyFlags, io: Io): Promise<ExitCode> {
  await using account = await openAccount(accountOptions({ ...flags, isDeclarationOptional: true }, io));
  const question = ({ undone }: AccountPlan) => `Undo ${undone === undefined ? 'the run' : runText(undone)}?`;
  return await askAndApply((sending) => account.undo({ ...sending, run }), question, flags, io);
}

function runText({ id, command, by, startedAt }: Run): string {
  const who = by === undefined ? '' : ` by ${startedByText(by)}`;
  return `run ${shortRunId({ id })} (${command}${who}, ${utcTime(startedAt)})`;
}
