/** Carries a plan out for apply, destroy and undo: shows it, asks, makes the calls and reports. */
import type { Problem } from '../../diagnostics/problem.ts';
import { withBudgets } from '../../operations/budgets.ts';
import type { PlanningContext } from '../../operations/context.ts';
import { type Execution, executeCalls, settleUnchanged } from '../../operations/execution.ts';
import { planReport } from '../../operations/planning.ts';
import { formatProblem } from '../../report/text/problems.ts';
import { hasChanges } from '../../sync/plan/plan.ts';
import type { ApplyFlags } from '../options/planning.ts';
import { type ExitCode, exitCodes, type Io } from '../output/io.ts';
import { print, publishAndPrint, publishOnly } from '../output/reporting.ts';
import { confirm } from './consent.ts';
import { withProgress } from './progress.ts';

/** Shows the plan, asks, makes the calls and reports. Stops before asking if the plan is refused or has no calls. */
export async function executePlan(
  execution: Execution,
  question: string,
  context: PlanningContext,
  flags: ApplyFlags,
  io: Io,
): Promise<ExitCode> {
  const { plan, mode, header } = execution;
  const shown = planReport(plan, mode, context, flags);
  const report = mode === 'plan' ? await withBudgets(shown, context, plan, flags) : shown;
  const refused = execution.refused || report.problems.length > 0;
  if (refused || !hasChanges(plan)) {
    const unrecorded = refused ? [] : await settleUnchanged(execution, context, io.signal);
    printProblems(unrecorded, io);
    await publishAndPrint(report, flags, io);
    return refused || unrecorded.length > 0 ? exitCodes.error : exitCodes.done;
  }
  if (flags.format === 'text') await print(report, flags, io);
  if (!(await isConfirmed(question, flags, io))) {
    io.stderr.write('Nothing was changed.\n');
    await publishOnly(report, flags, io);
    return exitCodes.error;
  }
  const { result, failed, unrecorded } = await withProgress('making the calls', io, () =>
    executeCalls(execution, context, io.signal),
  );
  printProblems(unrecorded, io);
  if (flags.format === 'text') io.stdout.write('\n');
  await publishAndPrint({ about: 'run', command: header.command, result, ...context.meta }, flags, io);
  return failed || unrecorded.length > 0 ? exitCodes.error : exitCodes.done;
}

function printProblems(problems: readonly Problem[], { stderr }: Io): void {
  for (const problem of problems) stderr.write(`${formatProblem(problem)}\n`);
}

/** Asks only with text output: a program that reads the report cannot answer. @throws ProblemError without a terminal */
async function isConfirmed(question: string, { yes, format }: ApplyFlags, io: Io): Promise<boolean> {
  return yes || confirm(question, format === 'text' ? io : {});
}
