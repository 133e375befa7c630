/** Apply, destroy and undo for people: shows the plan, asks, and reports the run. */

import { counted } from '../../base/diagnostics/valueWords.ts';
import { printableLine } from '../../base/values/printable.ts';
import type { JournaledCall } from '../../engine/doors/history.ts';
import type { AccountRun } from '../../engine/doors/plan.ts';
import type { AccountEvent, CallEvent, SendingOptions } from '../../engine/doors/run.ts';
import type { Call, CallOutcome } from '../../kinds/seam/call.ts';
import { describeCall } from '../../kinds/shownCalls.ts';
import { answerLost, isAnswerLost } from '../../report/model/results.ts';
import { formatProblem } from '../../report/text/problems.ts';
import type { ApplyFlags } from '../options/coreCommands.ts';
import { type ExitCode, exitCodes, type Io } from '../output/io.ts';
import { print, publishAndPrint, publishOnly } from '../output/reporting.ts';
import { confirm } from './consent.ts';
import { showStep, startClock } from './progress.ts';

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

/**
 * Returns the observer of a run, which writes a line for each call as it ends: `✓ 3/8  4 IPs  pricing → stock-check  6.1 s`. Programs
 * that read stderr of a job outside of CI get no lines.
 */
function callProgress(io: Pick<Io, 'stderr' | 'env'>): (event: AccountEvent) => void {
  const isShown = io.stderr.isTTY || Boolean(io.env.CI);
  const begun = new Map<Call, number>();
  const ended = new Set<Call>();
  let planned = 0;

  function ends({ call, outcome, record }: Extract<CallEvent, { type: 'outcome' }>): void {
    // The answer alone does not say what the call has done, unless it was refused.
    const isKnown = record.seen !== undefined || outcome === 'done' || outcome === 'refused' || outcome === 'partly';
    if (!isKnown) showStep(io, waitingFor(call, record));
    if (!isKnown || ended.has(call)) return;
    ended.add(call);
    const seconds = (performance.now() - (begun.get(call) ?? performance.now())) / 1000;
    const number = `${ended.size}/${Math.max(planned, begun.size)}`;
    if (isShown)
      io.stderr.write(
        printableLine(
          [
            `${marks[outcome]} ${number}`,
            ...words(call),
            `${seconds.toFixed(1)} s`,
            ...(isAnswerLost(record) ? [answerLost] : []),
          ].join('  '),
        ),
      );
  }

  return (event) => {
    if (event.type === 'planned') {
      planned = event.plan.report.plan.resources.reduce((sum, { calls }) => sum + calls.length, 0);
    } else if (event.type === 'sending') {
      begun.set(event.call, performance.now());
      const clock = startClock();
      const step = `call ${begun.size} of ${Math.max(planned, begun.size)}`;
      showStep(io, () => `${step}, ${clock()}`);
    } else ends(event);
  };
}

const marks: Readonly<Record<CallOutcome, string>> = {
  done: '✓',
  accepted: '…',
  partly: '~',
  refused: '✗',
  unknown: '?',
};

function words(call: Call): string[] {
  const { subject, flow } = describeCall(call);
  return flow === undefined ? [subject] : [counted(flow.moves.length, 'IP'), `${flow.from} → ${flow.to}`];
}

/** Returns the step of a call that was answered, or not, until it is read back: `waiting until the listing shows 192.0.2.10, moved 4 s ago (7 s left)`. */
function waitingFor(call: Call, { answered }: JournaledCall): (leftMs: number) => string {
  const clock = startClock();
  const { flow } = describeCall(call);
  if (flow === undefined) return () => `waiting until the change is visible, ${clock()}`;
  const { moves } = flow;
  const ips = moves.length === 1 ? moves[0]?.ip : counted(moves.length, 'IP');
  const done = answered === undefined ? 'sent' : 'moved';
  return (leftMs) =>
    `waiting until the listing shows ${ips}, ${done} ${clock()} ago (${Math.ceil(leftMs / 1000)} s left)`;
}
