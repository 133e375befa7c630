/** `webdata drift`: whether the live state is as declared; only reads, and exits with 2 where it is not. */
import type { Command } from 'commander';
import { isDrift } from '../report/differences.ts';
import { driftIn } from '../sync/drift.ts';
import { problemsOf } from '../sync/plan.ts';
import { planOf } from '../sync/planner.ts';
import { configFrom } from './declaration.ts';
import { examples } from './examples.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from './io.ts';
import { type PlanFlags, withPlanning } from './options.ts';
import { planFrom, planReport } from './planning.ts';
import { publishAndPrint, reporting } from './reporting.ts';
import { withRunsWorkbench } from './workbench.ts';

export function addDrift(command: Command, { io, end }: Shell): void {
  withPlanning(command)
    .option('--strict', 'unmanaged IPs are drift too')
    .addHelpText(
      'after',
      examples({
        'webdata drift': 'exit 2 if the live state is not as declared',
        'webdata drift --strict --report junit=drift.xml': 'unmanaged IPs too, told to CI',
      }),
    )
    .action(async (flags: PlanFlags) => end(await reporting('drift', flags, io, () => drift(flags, io))));
}

async function drift(flags: PlanFlags, io: Io): Promise<ExitCode> {
  return withRunsWorkbench(flags, io, await configFrom(flags, io), async (workbench) => {
    const found = driftIn(planOf(await planFrom(workbench, flags, io, 'update')));
    const report = planReport(found, 'drift', workbench, flags);
    await publishAndPrint(report, flags, io);
    if (problemsOf(found).length > 0) return exitCodes.error;
    return found.resources.some((resource) => isDrift(resource, report)) ? exitCodes.changes : exitCodes.done;
  });
}
