/** The outcomes of calls as words and rows, for results and the history. */

import { counted } from '../../base/diagnostics/valueWords.ts';
import type { JournaledCall } from '../../engine/run/journal.ts';
import type { Call, CallOutcome, Seen } from '../../kinds/call.ts';
import { callWords } from '../../kinds/callWords.ts';
import { outcomeOf } from '../../kinds/knownCalls.ts';
import { describeCall } from '../../kinds/shownCalls.ts';
import { callCells, contentWords, groupsOf, isSamePair } from './callRows.ts';
import type { TextRow } from './layout.ts';
import { apart, consecutive, listed, type Style } from './style.ts';

/** Describes an outcome: `partly: 2 of 3 IPs moved; 192.0.2.9 stayed in pricing`. */
export function outcomeWords(journaled: JournaledCall, style: Style): string {
  const fates = fatesOf(journaled, style);
  const details = fates.length > 0 ? `: ${fates.join('; ')}` : '';
  const outcome = outcomeOf(journaled);
  switch (outcome) {
    case 'done':
      return 'done';
    case 'accepted':
      return details === '' ? 'accepted, not read back' : `accepted${details}`;
    case 'partly':
      return details === '' ? `not applied in full${because(journaled)}` : `partly${details}`;
    case 'refused':
      return `${journaled.failed ? `refused${because(journaled)}, ` : ''}${callWords.of(journaled.call).noEffect}${details}`;
    case 'unknown':
      return `outcome unknown${because(journaled)}${details}`;
  }
}

/** Reports whether the words name each IP, so that no list of IPs is needed. */
function tellsEachIp(journaled: JournaledCall): boolean {
  return outcomeOf(journaled) !== 'done' && seenIps(journaled) !== undefined;
}

function paintOf(outcome: CallOutcome, { paint }: Style) {
  return { done: paint.green, accepted: paint.green, partly: paint.yellow, refused: paint.red, unknown: paint.yellow }[
    outcome
  ];
}

/** Returns the message of the service, or else its count. */
function because({ call, failed, answered }: JournaledCall): string {
  if (failed) return ` (${failed.message})`;
  const { flow } = describeCall(call);
  if (flow === undefined || answered?.count === undefined) return '';
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

export function madeRows(made: readonly JournaledCall[], style: Style): TextRow[] {
  return groupsOfMade(made, style).flatMap((group) => (group[0] ? [madeRow(group[0], group, style)] : []));
}

/** Groups consecutive calls that can share a row. */
export function groupsOfMade(made: readonly JournaledCall[], style: Style): JournaledCall[][] {
  const isAlike = (a: JournaledCall, b: JournaledCall) => isPlain(a) && isPlain(b) && outcomeOf(a) === outcomeOf(b);
  return consecutive(made, (a, b) => !style.full && isSamePair(a.call, b.call) && isAlike(a, b));
}

export function notMadeRows(calls: readonly Call[], style: Style): TextRow[] {
  return groupsOf(calls, style).map((group) => ({
    cells: callCells(group, style),
    words: [style.paint.red('not sent'), ...apart(contentWords(group, style))],
  }));
}

/** Reports whether one word describes the outcome, so that similar calls can share a row. */
function isPlain(journaled: JournaledCall): boolean {
  return ['done', 'accepted'].includes(outcomeOf(journaled)) && !tellsEachIp(journaled);
}

function madeRow(first: JournaledCall, group: readonly JournaledCall[], style: Style): TextRow {
  const calls = group.map(({ call }) => call);
  const outcome = outcomeWords(first, style)
    .split(' ')
    .map(paintOf(outcomeOf(first), style));
  const contents = tellsEachIp(first) ? [] : apart(contentWords(calls, style));
  return { cells: callCells(calls, style), words: [...outcome, ...contents] };
}
