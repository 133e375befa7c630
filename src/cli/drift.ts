/** `webdata drift`: whether the live state is as declared; only reads, and exits with 2 where it is not. */
import type { Command } from 'commander';
import { isAmiss } from '../resources/kind.ts';
import { driftIn } from '../sync/drift.ts';
import { hasChanges, problemsOf } from '../sync/plan.ts';
import { planOf } from '../sync/planner.ts';
import { examples } from './examples.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from './io.ts';
import { type PlanFlags, withPlanning } from './options.ts';
import { planFrom, planReport } from './planning.ts';
import { publishAndPrint, reporting } from './reporting.ts';
import { configFrom, withWorkbench } from './workbench.ts';

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
  return withWorkbench(flags, io, await configFrom(flags, io), async (workbench) => {
    const found = driftIn(planOf(await planFrom(workbench, flags, io, 'update')));
    await publishAndPrint(planReport(found, 'drift', workbench, flags), flags, io);
    if (problemsOf(found).length > 0) return exitCodes.error;
    const unmanaged = found.resources.some(({ notes }) => notes.some(({ code }) => code === 'unmanaged'));
    const amiss = found.resources.some(({ notes }) => notes.some(isAmiss));
    return hasChanges(found) || amiss || (flags.strict && unmanaged) ? exitCodes.changes : exitCodes.done;
  });
}
