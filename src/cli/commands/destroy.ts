/** `webdata destroy --select KIND/NAME`: runs the delete handler of resources while their declaration still stands. */
import type { Command } from 'commander';
import { configFrom } from '../execution/declaration.ts';
import { carryOut, withExclusiveWorkbench } from '../execution/executePlan.ts';
import { planFrom } from '../execution/planning.ts';
import { examples } from '../options/examples.ts';
import { type ApplyFlags, resendOption, selectOption, withConsent, withPlanning } from '../options/options.ts';
import type { ExitCode, Io, Shell } from '../output/io.ts';
import { reporting } from '../output/reporting.ts';
import { applying } from './apply.ts';

export function addDestroy(command: Command, { io, end }: Shell): void {
  withConsent(withPlanning(command, selectOption().makeOptionMandatory()))
    .addOption(resendOption())
    .addHelpText(
      'after',
      examples({
        'webdata destroy --select ZoneIpAllocation/static': 'shows what would be done, and asks',
        'webdata destroy --select ManagerSettings/local --yes': 'without asking',
      }),
    )
    .action(async (flags: ApplyFlags) => end(await reporting('destroy', flags, io, () => destroy(flags, io))));
}

async function destroy(flags: ApplyFlags, io: Io): Promise<ExitCode> {
  return withExclusiveWorkbench('destroy', flags, io, await configFrom(flags, io), async (workbench) => {
    const planned = await planFrom(workbench, flags, io, 'delete', true);
    return carryOut(applying(planned, 'delete', workbench, flags), workbench, flags, io);
  });
}
