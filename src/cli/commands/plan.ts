/** `webdata plan`. */
import { type Command, Option } from 'commander';
import { printableLine } from '../../base/values/printable.ts';
import { openAccount } from '../../engine/account.ts';
import { journalFile } from '../../engine/doors/declaration.ts';
import { hasChanges } from '../../engine/doors/plan.ts';
import { planFileMode, planFileText } from '../../engine/doors/run.ts';
import { forAllAccounts } from '../execution/allAccounts.ts';
import { accountOptions } from '../execution/commandContext.ts';
import { accountsWithGone } from '../execution/goneAccounts.ts';
import { commandLine } from '../execution/nextCommand.ts';
import { planFileIn, preparePlanFolder } from '../execution/planFolder.ts';
import { type PlanFlags, withWholePlan } from '../options/coreCommands.ts';
import type { AllFlags } from '../options/options.ts';
import { addExamples, ipAddress } from '../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../output/io.ts';
import { assertNotOverwritten, declarations, writeOutput } from '../output/outputFile.ts';
import { publishAndPrint, runWithReports } from '../output/reporting.ts';
import { textOptions } from '../output/textOptions.ts';
import { whyText } from '../output/whyText.ts';

export interface PlanCommandFlags extends PlanFlags, AllFlags {
  output?: string;
  why?: string;
}

export function addPlan(command: Command, { io, end }: Shell): void {
  withPlanOptions(command).action(async (flags: PlanCommandFlags) => end(await runPlan(flags, io)));
  addExamples(command, {
    'webdata plan': 'show what apply would change',
    'webdata plan --why 192.0.2.10': 'why the plan moves this IP',
    'webdata plan --output plan.json': 'keep the plan for `webdata apply plan.json`',
    "webdata plan --all 'accounts/*.yaml' --output plans": 'every account, with one plan file each',
    'webdata plan --detailed-exitcode --report markdown=plan.md': 'for a pull request: exit 2 if there are changes',
  });
}

export function withPlanOptions(command: Command): Command {
  return withWholePlan(command)
    .option('--output <file>', 'plan file for `webdata apply <file>`, - for stdout; with --all, a folder')
    .addOption(new Option('--why <ip>', 'explain why the plan moves this IP').argParser(ipAddress).conflicts('all'))
    .option('--detailed-exitcode', 'exit with 2 if there are changes');
}

export async function runPlan(flags: PlanCommandFlags, io: Io): Promise<ExitCode> {
  if (flags.all === undefined) return planWithReports(flags, io);
  return runWithReports('plan', flags, io, (reportIo) => planAccounts(flags, reportIo));
}

async function planAccounts(flags: PlanCommandFlags, io: Io): Promise<ExitCode> {
  const accounts = await accountsWithGone(flags, io);
  const { output: folder } = flags;
  if (folder !== undefined) await preparePlanFolder(folder, accounts, io);
  return forAllAccounts('plan', accounts, flags, io, (account, accountFlags, accountIo) =>
    plan({ ...accountFlags, ...(folder !== undefined && { output: planFileIn(folder, account) }) }, accountIo),
  );
}

async function planWithReports(flags: PlanCommandFlags, io: Io): Promise<ExitCode> {
  const outputs = flags.output === undefined ? [] : [{ what: `--output ${flags.output}`, file: flags.output }];
  const journal = { what: 'the journal', file: journalFile(flags, io) };
  assertNotOverwritten(outputs, [...declarations(flags.file), journal], io);
  const kept = outputs.map(({ file }) => ({ what: 'the plan file of --output', file }));
  return runWithReports('plan', flags, io, (reportIo) => plan(flags, reportIo), kept);
}

async function plan(flags: PlanCommandFlags, io: Io): Promise<ExitCode> {
  await using account = await openAccount(accountOptions(flags, io));
  const planned = await account.plan();
  const { report } = planned;
  const failed = planned.problems.length > 0;
  const { output } = flags;
  if (output !== undefined) {
    const file = planned.planFile();
    if (file === undefined) io.stderr.write(printableLine(`${output} was not written: this plan cannot be applied.`));
    else await writeOutput(`--output ${output}`, output, planFileText(file), io, planFileMode);
  }
  if (flags.why !== undefined) {
    io.stdout.write(whyText(report.plan, flags.why, textOptions(flags, io)));
    return failed ? exitCodes.error : exitCodes.done;
  }
  const next = hasChanges(report.plan) && !failed ? [nextCommand(flags)] : [];
  await publishAndPrint({ ...report, next }, flags, io);
  if (failed) return exitCodes.error;
  return flags.detailedExitcode && hasChanges(report.plan) ? exitCodes.changes : exitCodes.done;
}

/** Returns the command that applies the plan. It repeats no --select and no --prune for a plan file, which contains them. */
function nextCommand({ output, ...flags }: PlanCommandFlags): string {
  return output === undefined
    ? commandLine(['apply'], flags)
    : commandLine(['apply', output], { ...flags, select: undefined, zone: undefined, prune: undefined });
}
