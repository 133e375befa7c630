/** `webdata plan`: shows what an apply would do; only reads. */
import type { Command } from 'commander';
import { hasChanges, problemsOf } from '../sync/plan.ts';
import { planFileOf, writePlanFile } from '../sync/planFile.ts';
import { planOf } from '../sync/planner.ts';
import { examples } from './examples.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from './io.ts';
import { type PlanFlags, withPlanning } from './options.ts';
import { besideDeclaration } from './outputFile.ts';
import { planFrom, planReport } from './planning.ts';
import { publishAndPrint, reporting } from './reporting.ts';
import { configFrom, withWorkbench } from './workbench.ts';

interface Flags extends PlanFlags {
  out?: string;
  detailedExitcode?: boolean;
}

export function addPlan(command: Command, { io, end }: Shell): void {
  withPlanning(command)
    .option('--out <file>', 'keep the plan, for `webdata apply <file>`')
    .option('--detailed-exitcode', 'exit with 2 if there are changes')
    .addHelpText(
      'after',
      examples({
        'webdata plan': 'what an apply would do',
        'webdata plan --out plan.json': 'keeps it, for `webdata apply plan.json`',
        'webdata plan --detailed-exitcode --report markdown=plan.md': 'for a pull request: exit 2 if there are changes',
      }),
    )
    .action(async (flags: Flags) => end(await reporting('plan', flags, io, () => plan(flags, io))));
}

async function plan(flags: Flags, io: Io): Promise<ExitCode> {
  const out = flags.out === undefined ? undefined : besideDeclaration(`--out ${flags.out}`, flags.out, flags.file, io);
  return withWorkbench(flags, io, await configFrom(flags, io), async (workbench) => {
    const planned = await planFrom(workbench, flags, io, 'update');
    const whole = planOf(planned);
    const failed = problemsOf(whole).length > 0;
    if (out !== undefined && !failed) {
      await writePlanFile(out, planFileOf(planned, workbench.config, 'update', workbench.meta));
    }
    await publishAndPrint(planReport(whole, 'plan', workbench, flags), flags, io);
    if (failed) return exitCodes.error;
    return flags.detailedExitcode && hasChanges(whole) ? exitCodes.changes : exitCodes.done;
  });
}
