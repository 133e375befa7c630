/** `webdata plan`: shows what an apply would do; only reads. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { printableLines } from '../../report/model/printable.ts';
import { hasChanges, problemsOf } from '../../sync/plan/plan.ts';
import { planFileOf, writePlanFile } from '../../sync/plan/planFile.ts';
import { planOf } from '../../sync/plan/planner.ts';
import { withRunsWorkbench } from '../execution/commandContext.ts';
import { configFrom, journalFile } from '../execution/declaration.ts';
import { planFrom, planReport } from '../execution/planning.ts';
import { examples } from '../options/examples.ts';
import { type PlanFlags, pruneOption, resendOption, withPlanning } from '../options/options.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../output/io.ts';
import { declarations, keepApart } from '../output/outputFile.ts';
import { publishAndPrint, reporting } from '../output/reporting.ts';

interface Flags extends PlanFlags {
  out?: string;
  detailedExitcode?: boolean;
}

export function addPlan(command: Command, { io, end }: Shell): void {
  withPlanning(command)
    .addOption(pruneOption())
    .addOption(resendOption())
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
    .action(async (flags: Flags) => end(await planReporting(flags, io)));
}

async function planReporting(flags: Flags, io: Io): Promise<ExitCode> {
  const out = flags.out === undefined ? [] : [{ what: `--out ${flags.out}`, file: flags.out }];
  keepApart(out, [...declarations(flags.file), { what: 'the journal', file: journalFile(flags, io) }], io);
  const kept = out.map(({ file }) => ({ what: 'the plan that --out keeps', file }));
  return reporting('plan', flags, io, () => plan(flags, io), kept);
}

async function plan(flags: Flags, io: Io): Promise<ExitCode> {
  return withRunsWorkbench(flags, io, await configFrom(flags, io), async (workbench) => {
    const planned = await planFrom(workbench, flags, io, 'update');
    const whole = planOf(planned);
    const failed = problemsOf(whole).length > 0;
    if (flags.out !== undefined && failed)
      io.stderr.write(printableLines(`${flags.out} was not written: this plan can't be applied.\n`));
    if (flags.out !== undefined && !failed) {
      const file = planFileOf(planned, workbench.config, 'update', workbench.meta);
      await writePlanFile(resolve(io.cwd, flags.out), file);
    }
    await publishAndPrint(planReport(whole, 'plan', workbench, flags), flags, io);
    if (failed) return exitCodes.error;
    return flags.detailedExitcode && hasChanges(whole) ? exitCodes.changes : exitCodes.done;
  });
}
