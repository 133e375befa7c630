/** The calls of a run and their outcomes in words, for every format that people read. */
import { counted } from '../../base/diagnostics/valueWords.ts';
import type { JournaledCall } from '../../engine/doors/history.ts';
import type { ResourceResult } from '../../engine/doors/plan.ts';
import { outcomeOf } from '../../kinds/knownCalls.ts';
import type { Call, Seen } from '../../kinds/seam/call.ts';
import { callWords } from '../../kinds/seam/callWords.ts';
import { describeCall } from '../../kinds/shownCalls.ts';
import { callCells, contentWords, type ReportedCall, type ReportedResult } from './calls.ts';
import { listed, type Style } from './style.ts';
import type { ReportState } from './tables.ts';

/** The states of the resources of a run. */
export const outcomeStates: Record<ResourceResult['outcome'], ReportState> = {
  done: { kind: 'done', words: 'done' },
  nothing: { kind: 'done', words: 'no changes' },
  failed: { kind: 'failed', words: 'failed' },
  skipped: { kind: 'change', words: 'skipped: an earlier call failed' },
};

/** Returns the calls of a resource with their results, those that were not sent last. */
export function sentCalls(
  { made, notMade = [] }: { made: readonly JournaledCall[]; notMade?: readonly Call[] },
  style: Style,
): ReportedCall[] {
  return [
    ...made.map((journaled) => ({ call: journaled.call, result: resultOf(journaled, style) })),
    ...notMade.map((call) => ({ call, result: notSent })),
  ];
}

const notSent: ReportedResult = { outcome: 'not sent', words: 'not sent', hasIps: false };

function resultOf(journaled: JournaledCall, style: Style): ReportedResult {
  const [outcome, fates] = [outcomeOf(journaled), fatesOf(journaled, style)];
  const words = outcomeWords(journaled, fates.length > 0 ? `: ${fates.join('; ')}` : '');
  return { outcome, words, hasIps: outcome !== 'done' && seenIps(journaled) !== undefined };
}

function outcomeWords(journaled: JournaledCall, details: string): string {
  switch (outcomeOf(journaled)) {
    case 'done':
      return isAnswerLost(journaled) ? `done (${answerLost})` : 'done';
    case 'accepted':
      return details === '' ? `accepted${because(journaled)}, not read back` : `accepted${details}`;
    case 'partly':
      return details === '' ? `not applied in full${because(journaled)}` : `partly${details}`;
    case 'refused':
      return `${journaled.failed ? `refused${because(journaled)}, ` : ''}${callWords.of(journaled.call).noEffect}${details}`;
    case 'unknown':
      return `outcome unknown${because(journaled)}${details}`;
  }
}

export const answerLost = 'answer lost, read back';

/** Reports whether a call is known to be done although its answer was lost. */
export function isAnswerLost(journaled: JournaledCall): boolean {
  return journaled.failed?.effect === 'unknown' && outcomeOf(journaled) === 'done';
}

/** Returns the message of the service, or else its count if it is not that of all IPs. */
function because({ call, failed, answered }: JournaledCall): string {
  if (failed) return ` (${failed.message})`;
  const { flow } = describeCall(call);
  if (flow === undefined || answered?.count === undefined || answered.count === flow.moves.length) return '';
  return ` (the service counted ${answered.count} of ${counted(flow.moves.length, 'IP')})`;
}

/** Returns what the read-back showed, IP by IP. */
function fatesOf(journaled: JournaledCall, style: Style): string[] {
  const seen = seenIps(journaled);
  const { flow } = describeCall(journaled.call);
  if (!seen || flow === undefined) return [];
  const { moves, from, to } = flow;
  // According to the service, this call moved nothing.
  const byOthers = outcomeOf(journaled) === 'refused';
  const { moved, notMoved, elsewhere, notVisible } = seen;
  const each = (ips: readonly string[], one: string, many = one) =>
    ips.length === 0 ? [] : [`${listed(ips, style).join(' ')} ${ips.length === 1 ? one : many}`];
  return [
    ...(moved.length > 0 && !byOthers ? [`${moved.length} of ${counted(moves.length, 'IP')} moved`] : []),
    ...each(notMoved, `stayed in ${from}`),
    ...each(byOthers ? moved : [], `was moved to ${to} by another user`, `were moved to ${to} by another user`),
    ...each(elsewhere, 'was moved away by another user', 'were moved away by another user'),
    ...each(notVisible, 'is not visible yet', 'are not visible yet'),
  ];
}

function seenIps({ seen }: JournaledCall): Exclude<Seen, { took: boolean }> | undefined {
  return seen && 'moved' in seen ? seen : undefined;
}

/** Returns the row of a call, or of similar calls together. The contents of the calls are left out if the words name each IP. */
export function resultRow(group: readonly ReportedCall[], style: Style) {
  const { outcome, words, hasIps } = group[0]?.result ?? notSent;
  const calls = group.map(({ call }) => call);
  return { cells: callCells(calls, style), outcome, words, contents: hasIps ? [] : contentWords(calls, style) };
}
