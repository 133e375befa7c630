/** `webdata destroy --select KIND/NAME`: runs the delete handler of resources while their declaration still stands. */
import type { Command } from 'commander';
import { applying } from './apply.ts';
import { carryOut, withExclusiveWorkbench } from './carryOut.ts';
import { configFrom } from './declaration.ts';
import { examples } from './examples.ts';
import type { ExitCode, Io, Shell } from './io.ts';
import { type ApplyFlags, resendOption, selectOption, withConsent, withPlanning } from './options.ts';
import { planFrom } from './planning.ts';
import { reporting } from './reporting.ts';

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
