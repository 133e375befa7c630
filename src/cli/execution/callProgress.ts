/** A line for each call of a run as it ends, on a terminal and in the log of a CI job: `✓ 3/8  4 IPs  pricing → stock-check  6.1 s`. */

import { counted } from '../../base/diagnostics/valueWords.ts';
import { printableLine } from '../../base/values/printable.ts';
import type { JournaledCall } from '../../engine/doors/history.ts';
import type { AccountEvent, CallEvent } from '../../engine/doors/run.ts';
import type { Call, CallOutcome } from '../../kinds/seam/call.ts';
import { describeCall } from '../../kinds/shownCalls.ts';
import { answerLost, isAnswerLost } from '../../report/model/results.ts';
import type { Io } from '../output/io.ts';
import { showStep, startClock } from './progress.ts';

/** Returns the observer of a run. Programs that read stderr of a job outside of CI get no lines. */
export function callProgress(io: Pick<Io, 'stderr' | 'env'>): (event: AccountEvent) => void {
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
