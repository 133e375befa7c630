/** `webdata destroy --select KIND/NAME`: runs the `onDelete` action of resources that are still declared. */
import type { Command } from 'commander';
import { openAccount } from '../../engine/account.ts';
import { askAndApply } from '../execution/askAndApply.ts';
import { accountOptions } from '../execution/commandContext.ts';
import { type ApplyFlags, resendOption, selectOption, withPlanning } from '../options/coreCommands.ts';
import { withConsent } from '../options/options.ts';
import { addExamples } from '../options/values.ts';
import type { ExitCode, Io, Shell } from '../output/io.ts';
import { runWithReports } from '../output/reporting.ts';
import { destroyQuestion } from './apply.ts';

export function addDestroy(command: Command, { io, end }: Shell): void {
  withConsent(withPlanning(command, selectOption().makeOptionMandatory()))
    .addOption(resendOption())
    .action(async (flags: ApplyFlags) =>
      end(await runWithReports('destroy', flags, io, (reportIo) => destroy(flags, reportIo))),
    );
  addExamples(command, {
    'webdata destroy --select ZoneIpAllocation/static': 'show the plan and ask',
    'webdata destroy --select ManagerSettings/local --yes': 'without asking',
  });
}

async function destroy(flags: ApplyFlags, io: Io): Promise<ExitCode> {
  await using account = await openAccount(accountOptions(flags, io));
  return await askAndApply((sending) => account.destroy(sending), destroyQuestion, flags, io);
}
