/** Apply, destroy and undo for people: shows the plan, asks, and reports the run. */

import type { AccountRun } from '../../engine/doors/plan.ts';
import type { SendingOptions } from '../../engine/doors/run.ts';
import { formatProblem } from '../../report/text/problems.ts';
import type { ApplyFlags } from '../options/coreCommands.ts';
import { type ExitCode, exitCodes, type Io } from '../output/io.ts';
import { print, publishAndPrint, publishOnly } from '../output/reporting.ts';
import { callProgress } from './callProgress.ts';
import { confirm } from './consent.ts';

/** Runs an operation that asks before it sends anything. `question` may depend on the plan. @throws ProblemError without a terminal */
export async function askAndApply(
  operate: (sending: SendingOptions) => Promise<AccountRun>,
  question: string | ((plan: AccountRun['plan']) => string),
  flags: ApplyFlags,
  io: Io,
): Promise<ExitCode> {
  const { status, plan, run, unrecorded } = await operate({
    onEvent: callProgress(io),
    async approve(planned) {
      if (flags.format === 'text') await print(planned.report, flags, io);
      const asked = typeof question === 'string' ? question : question(planned);
      // Asks only with text output: a program that reads the report cannot answer.
      if (flags.yes || (await confirm(asked, flags.format === 'text' ? io : {}))) return true;
      io.stderr.write('Nothing was changed.\n');
      return false;
    },
  });
  for (const problem of unrecorded) io.stderr.write(`${formatProblem(problem)}\n`);
  if (run !== undefined && flags.format === 'text') io.stdout.write('\n');
  const publish = status === 'declined' ? publishOnly : publishAndPrint;
  await publish(run?.report ?? plan.report, flags, io);
  return status === 'applied' || status === 'unchanged' ? exitCodes.done : exitCodes.error;
}
