/** `webdata destroy --select KIND/NAME`: runs the `onDelete` action of resources that are still declared. */
import type { Command } from 'commander';
import { configFrom } from '../../operations/declaration.ts';
import { executionOf } from '../../operations/execution.ts';
import { withExclusiveContext } from '../execution/commandContext.ts';
import { executePlan } from '../execution/executePlan.ts';
import { planFrom } from '../execution/planning.ts';
import { withConsent } from '../options/options.ts';
import { type ApplyFlags, resendOption, selectOption, withPlanning } from '../options/planning.ts';
import { addExamples } from '../options/values.ts';
import type { ExitCode, Io, Shell } from '../output/io.ts';
import { runWithReports } from '../output/reporting.ts';
import { destroyQuestion } from './apply.ts';

const usage = {
  'webdata destroy --select ZoneIpAllocation/static': 'show the plan and ask',
  'webdata destroy --select ManagerSettings/local --yes': 'without asking',
};

export function addDestroy(command: Command, { io, end }: Shell): void {
  withConsent(withPlanning(command, selectOption().makeOptionMandatory()))
    .addOption(resendOption())
    .action(async (flags: ApplyFlags) => end(await runWithReports('destroy', flags, io, (its) => destroy(flags, its))));
  addExamples(command, usage);
}

async function destroy(flags: ApplyFlags, io: Io): Promise<ExitCode> {
  return withExclusiveContext('destroy', flags, io, await configFrom(flags, io), async (context) => {
    const planned = await planFrom(context, flags, io, 'delete', true);
    return executePlan(executionOf(planned, 'delete', context, flags), destroyQuestion, context, flags, io);
  });
}
