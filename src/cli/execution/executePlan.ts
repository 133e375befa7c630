/** Carries a plan out for apply, destroy and undo: asks, journals the run, makes the calls and reports. */
import { ciJobUrl } from '../../backend/holder.ts';
import type { PlanMode } from '../../kinds/callType.ts';
import { hasFailed } from '../../report/model/report.ts';
import { formatProblem } from '../../report/text/problems.ts';
import type { Settled } from '../../sync/baseline/baseline.ts';
import { updateBaseline } from '../../sync/baseline/baselineDocument.ts';
import type { Config } from '../../sync/config/config.ts';
import { hasChanges, type Plan } from '../../sync/plan/plan.ts';
import {
  type AdHocCommand,
  beginRun,
  type Command,
  type RunHeader,
  type RunResult,
  type RunWriter,
} from '../../sync/run/journal.ts';
import type { ApplyResult } from '../../sync/run/outcome.ts';
import { shortRunId } from '../../sync/run/runId.ts';
import type { ApplyFlags, ContextFlags } from '../options/options.ts';
import { type ExitCode, exitCodes, type Io } from '../output/io.ts';
import { print, publishAndPrint, publishOnly } from '../output/reporting.ts';
import { withBackend } from './backend.ts';
import { type PlanningContext, withRecentRuns } from './commandContext.ts';
import { confirm } from './consent.ts';
import { explainedProblems } from './explain.ts';
import { planReport } from './planning.ts';
import { withProgress } from './progress.ts';

export interface Execution {
  plan: Plan;
  /** The plan is shown, and no call is made. */
  refused: boolean;
  mode: PlanMode;
  question: string;
  header: Pick<RunHeader, 'plan' | 'undoes'> & { command: Command };
  act(writer: RunWriter): Promise<ApplyResult>;
  /** Returns what the baseline learns from the run. Without a result, there was nothing to do. */
  settled(result: ApplyResult | undefined): Settled[];
}

/** Opens a context under the lock of the service, so that only one command writes at a time. The journal is read after locking. */
export function withExclusiveContext(
  command: Command | AdHocCommand,
  flags: ContextFlags & Pick<ApplyFlags, 'lockTimeout'>,
  io: Io,
  config: Config,
  action: (context: PlanningContext) => Promise<ExitCode>,
): Promise<ExitCode> {
  const timeoutMs = flags.lockTimeout * 1000;
  const options = { timeoutMs, command: `webdata ${command}`, folder: io.cwd, job: ciJobUrl(io.env) };
  return withBackend(flags, io, config, (backend) =>
    backend.withLock(options, (lost, beforeWrite) => {
      const signal = AbortSignal.any([io.signal, lost]);
      return withRecentRuns(backend, flags, { ...io, signal }, config, action, beforeWrite);
    }),
  );
}

/** Shows the plan, asks, makes the calls and reports. Stops before asking if the plan is refused or has no calls. */
export async function executePlan(
  execution: Execution,
  context: PlanningContext,
  flags: ApplyFlags,
  io: Io,
): Promise<ExitCode> {
  const { plan, refused, mode, question, header, act } = execution;
  const isDone = refused || !hasChanges(plan);
  const report = planReport(plan, mode, context, flags);
  if (isDone) {
    const isRecorded = refused || (await recordBaseline(execution.settled(undefined), undefined, context, io));
    await publishAndPrint(report, flags, io);
    return refused || !isRecorded ? exitCodes.error : exitCodes.done;
  }
  if (flags.format === 'text') await print(report, flags, io);
  if (!(await isConfirmed(question, flags, io))) {
    io.stderr.write('Nothing was changed.\n');
    await publishOnly(report, flags, io);
    return exitCodes.error;
  }
  const writer = await beginRun(context.backend, { ...header, ...context.meta });
  const result = await withProgress('making the calls', io, () => act(writer));
  const failed = hasFailed(result);
  const hasEnd = await recordEnd(writer, failed ? 'failed' : 'done', io);
  const isRecorded = hasEnd && (await recordBaseline(execution.settled(result), writer.run.id, context, io));
  if (flags.format === 'text') io.stdout.write('\n');
  await publishAndPrint({ about: 'run', command: header.command, result, ...context.meta }, flags, io);
  return failed || !isRecorded ? exitCodes.error : exitCodes.done;
}

/** Returns false, after an error on stderr, if the end of the run could not be recorded: the report still says what was done. */
async function recordEnd({ run, end }: RunWriter, result: RunResult, io: Io): Promise<boolean> {
  try {
    await end(result);
    return true;
  } catch (error) {
    const [cause] = explainedProblems(error, io.signal);
    const found = `the end of run ${shortRunId(run)} is not recorded: ${cause?.found}`;
    const fix =
      'the report shows what was done; run the command again: it looks up the calls whose outcome is not recorded';
    io.stderr.write(`${formatProblem({ code: 'end-not-recorded', found, fix })}\n`);
    return false;
  }
}

/** Returns false, after an error on stderr, if the baseline could not be written: the run itself is complete. */
async function recordBaseline(
  settled: readonly Settled[],
  run: string | undefined,
  { config, backend }: PlanningContext,
  io: Io,
): Promise<boolean> {
  try {
    await updateBaseline(backend, config, settled, run);
    return true;
  } catch (error) {
    const [cause] = explainedProblems(error, io.signal);
    const found = `the baseline was not written: ${cause?.found}`;
    const fix = 'fix the cause and apply again: until then, `webdata drift` compares with the baseline before this run';
    io.stderr.write(`${formatProblem({ code: 'baseline-not-written', found, fix })}\n`);
    return false;
  }
}

/** Asks only with text output: a program that reads the report cannot answer. @throws ProblemError without a terminal */
async function isConfirmed(question: string, { yes, format }: ApplyFlags, io: Io): Promise<boolean> {
  return yes || confirm(question, format === 'text' ? io : {});
}
