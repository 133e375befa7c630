/** Calls in words, for every format that people read. */
import { counted } from '../../base/diagnostics/valueWords.ts';
import type { Call, CallOutcome } from '../../kinds/seam/call.ts';
import type { PlanMode } from '../../kinds/seam/callWords.ts';
import type { Move } from '../../kinds/seam/move.ts';
import { describeCall } from '../../kinds/shownCalls.ts';
import { consecutive, ipWords, listed, type Style } from './style.ts';

/** A call of a plan, or of a run with its result. */
export interface ReportedCall {
  call: Call;
  result?: ReportedResult;
}

export interface ReportedResult {
  outcome: CallOutcome | 'not sent';
  /** `partly: 2 of 3 IPs moved; 192.0.2.9 stayed in pricing` */
  words: string;
  /** True if the words name each IP, so that no list of IPs is needed. */
  hasIps: boolean;
}

/** Returns the server that receives the calls, if it is not the service itself. */
export function placeOfCalls(calls: readonly ReportedCall[]): string | undefined {
  return calls.map(({ call }) => describeCall(call).place).find((place) => place !== undefined);
}

/** Returns the IPs that the calls move. */
export function movesOfAll(calls: readonly Call[]): Move[] {
  return calls.flatMap((call) => describeCall(call).flow?.moves ?? []);
}

/** Groups consecutive calls that can share a row, because a batch limit can split one move of IPs into hundreds of calls. */
export function groupsOf(calls: readonly ReportedCall[], { full }: Style): ReportedCall[][] {
  return consecutive(calls, ({ call, result }, { call: next, result: nextResult }) => {
    const isSameResult = result?.words === nextResult?.words && !result?.hasIps && !nextResult?.hasIps;
    const [one, other] = [describeCall(call).flow, describeCall(next).flow];
    return !full && isSameResult && one !== undefined && one.from === other?.from && one.to === other.to;
  });
}

/** Returns the cells that identify the calls: `2 IPs`, `from pricing`, `to checkout`. */
export function callCells(calls: readonly Call[], { paint }: Style, mode: PlanMode = 'plan'): string[] {
  const [call] = calls;
  if (call === undefined) return [];
  const { subject, flow } = describeCall(call);
  if (flow === undefined) return [subject];
  const [from, to] = mode === 'drift' ? ['in', 'declared in'] : ['from', 'to'];
  const inCalls = calls.length > 1 && mode !== 'drift' ? ` in ${counted(calls.length, 'call')}` : '';
  const count = counted(movesOfAll(calls).length, 'IP') + inCalls;
  return [count, `${paint.cyan(from)} ${flow.from}`, `${paint.cyan(to)} ${flow.to}`];
}

/** Returns what the calls change, in one line. */
export function contentWords(calls: readonly Call[], style: Style): string[] {
  const moves = movesOfAll(calls);
  if (moves.length > 0) return ipWords(moves, style);
  const items = calls.slice(0, 1).flatMap((call) => describeCall(call).items);
  return listed(items, style);
}
