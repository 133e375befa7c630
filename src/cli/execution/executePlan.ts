/** From a plan to its end: consent, the journal, the calls, the report. What apply, destroy and undo share. */

import type { PlanMode } from '../../kinds/callType.ts';
import { hasFailed } from '../../report/model/report.ts';
import type { Config } from '../../sync/config/config.ts';
import { hasChanges, type Plan } from '../../sync/plan/plan.ts';
import { beginRun, type Command, type HandCommand, type RunHeader, type RunWriter } from '../../sync/run/journal.ts';
import { withLock } from '../../sync/run/lock.ts';
import type { ApplyResult } from '../../sync/run/outcome.ts';
import type { ApplyFlags, WorkbenchFlags } from '../options/options.ts';
import { type ExitCode, exitCodes, type Io } from '../output/io.ts';
import { print, publishAndPrint, publishOnly } from '../output/reporting.ts';
import { type RunsWorkbench, type Workbench, withRunsWorkbench } from './commandContext.ts';
import { asked } from './consent.ts';
import { planReport } from './planning.ts';
import { withProgress } from './progress.ts';

export interface Undertaking {
  plan: Plan;
  /** Something is wrong with it: it is shown, and nothing is called. */
  refused: boolean;
  mode: PlanMode;
  question: string;
  header: Pick<RunHeader, 'plan' | 'undoes'> & { command: Command };
  act(writer: RunWriter): Promise<ApplyResult>;
}

/** One writing command at a time, on what the journal says once nobody else writes to it. */
export function withExclusiveWorkbench(
  command: Command | HandCommand,
  flags: WorkbenchFlags & Pick<ApplyFlags, 'lockTimeout'>,
  io: Io,
  config: Config,
  action: (workbench: RunsWorkbench) => Promise<ExitCode>,
): Promise<ExitCode> {
  const options = { timeoutMs: flags.lockTimeout * 1000, command: `webdata ${command}`, folder: io.cwd };
  return withLock(config, options, (lost) => {
    const signal = AbortSignal.any([io.signal, lost]);
    return withRunsWorkbench(flags, { ...io, signal }, config, action);
  });
}

/** Shows the plan, asks, makes the calls and says what was done. A plan with problems, or without calls, ends before the question. */
export async function carryOut(
  undertaking: Undertaking,
  workbench: Workbench,
  flags: ApplyFlags,
  io: Io,
): Promise<ExitCode> {
  const { plan, refused, mode, question, header, act } = undertaking;
  const isDone = refused || !hasChanges(plan);
  const report = planReport(plan, mode, workbench, flags);
  if (isDone) {
    await publishAndPrint(report, flags, io);
    return refused ? exitCodes.error : exitCodes.done;
  }
  if (flags.format === 'text') await print(report, flags, io);
  if (!(await consents(question, flags, io))) {
    io.stderr.write('Nothing was changed.\n');
    await publishOnly(report, flags, io);
    return exitCodes.error;
  }
  const writer = await beginRun(workbench.journal, { ...header, ...workbench.meta });
  const result = await withProgress('making the calls', io, () => act(writer));
  const failed = hasFailed(result);
  await writer.end(failed ? 'failed' : 'done');
  if (flags.format === 'text') io.stdout.write('\n');
  await publishAndPrint({ about: 'run', command: header.command, result, ...workbench.meta }, flags, io);
  return failed ? exitCodes.error : exitCodes.done;
}

/** A program that reads the report would wait for ever. @throws ProblemError where nobody can be asked */
async function consents(question: string, { yes, format }: ApplyFlags, { confirm }: Io): Promise<boolean> {
  return yes || asked(question, format === 'text' && confirm ? { confirm } : {});
}
