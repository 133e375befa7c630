/** `webdata drift`: whether the live state is as declared; only reads, and exits with 2 where it is not. */
import type { Command } from 'commander';
import { isDrift } from '../../report/model/differences.ts';
import { driftIn } from '../../sync/plan/drift.ts';
import { problemsOf } from '../../sync/plan/plan.ts';
import { planOf } from '../../sync/plan/planner.ts';
import { withRunsWorkbench } from '../execution/commandContext.ts';
import { configFrom } from '../execution/declaration.ts';
import { planFrom, planReport } from '../execution/planning.ts';
import { examples } from '../options/examples.ts';
import { type PlanFlags, withPlanning } from '../options/options.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../output/io.ts';
import { publishAndPrint, reporting } from '../output/reporting.ts';

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
