/** `webdata drift`. */
import type { Command } from 'commander';
import { isDrift } from '../../report/model/differences.ts';
import { driftIn, problemsOf } from '../../sync/plan/plan.ts';
import { planOf } from '../../sync/plan/planner.ts';
import { withPlanningContext } from '../execution/commandContext.ts';
import { configFrom } from '../execution/declaration.ts';
import { planFrom, planReport } from '../execution/planning.ts';
import { addExamples, type PlanFlags, withPlanning } from '../options/options.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../output/io.ts';
import { publishAndPrint, runWithReports } from '../output/reporting.ts';

const usage = {
  'webdata drift': 'exit 2 if the live state differs from the declaration',
  'webdata drift --strict --report junit=drift.xml': 'unmanaged IPs too, with a report for CI',
};

export function addDrift(command: Command, { io, end }: Shell): void {
  withPlanning(command)
    .option('--strict', 'count unmanaged IPs as drift')
    .action(async (flags: PlanFlags) => end(await runWithReports('drift', flags, io, () => drift(flags, io))));
  addExamples(command, usage);
}

async function drift(flags: PlanFlags, io: Io): Promise<ExitCode> {
  return withPlanningContext(flags, io, await configFrom(flags, io), async (context) => {
    const found = driftIn(planOf(await planFrom(context, flags, io, 'update')));
    const report = planReport(found, 'drift', context, flags);
    await publishAndPrint(report, flags, io);
    if (problemsOf(found).length > 0) return exitCodes.error;
    return found.resources.some((resource) => isDrift(resource, report)) ? exitCodes.changes : exitCodes.done;
  });
}
