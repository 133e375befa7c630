/** What became of a call, in words: for its row in the result of an apply and in the history. */
import { counted } from '../../diagnostics/valueWords.ts';
import type { CallOutcome, Seen } from '../../kinds/call.ts';
import { callTypeOf, outcomeOf } from '../../kinds/knownCalls.ts';
import type { JournaledCall } from '../../sync/run/journal.ts';
import { describe } from './callRows.ts';
import type { Style } from './style.ts';
import { listed } from './words.ts';

/** `partly: 2 of 3 IPs moved; 192.0.2.9 stayed in pricing`. */
export function outcomeWords(journaled: JournaledCall, style: Style): string {
  const fates = fatesOf(journaled, style);
  const told = fates.length > 0 ? `: ${fates.join('; ')}` : '';
  const outcome = outcomeOf(journaled);
  switch (outcome) {
    case 'done':
      return 'done';
    case 'accepted':
      return told === '' ? 'accepted, not read back' : `accepted${told}`;
    case 'partly':
      return told === '' ? `not taken in full${because(journaled)}` : `partly${told}`;
    case 'refused':
      return `${journaled.failed ? `refused${because(journaled)}, ` : ''}${callTypeOf(journaled.call).noEffect}${told}`;
    case 'unknown':
      return `not known whether it was carried out${because(journaled)}${told}`;
  }
}

/** Whether the words tell of each IP, so that a list of them would say nothing more. */
export function tellsEachIp(journaled: JournaledCall): boolean {
  return outcomeOf(journaled) !== 'done' && seenIps(journaled) !== undefined;
}

export function paintOf(outcome: CallOutcome, { paint }: Style) {
  return { done: paint.green, accepted: paint.green, partly: paint.yellow, refused: paint.red, unknown: paint.yellow }[
    outcome
  ];
}

/** The service's own words, or its count where that is all there is. */
function because({ call, failed, answered }: JournaledCall): string {
  if (failed) return ` (${failed.message})`;
  const { flow } = describe(call);
  if (flow === undefined || answered?.count === undefined) return '';
  return ` (the service counted ${answered.count} of ${counted(flow.moves.length, 'IP')})`;
}

/** What the read-back showed, IP by IP. */
function fatesOf(journaled: JournaledCall, style: Style): string[] {
  const seen = seenIps(journaled);
  const { flow } = describe(journaled.call);
  if (!seen || flow === undefined) return [];
  const { moves, from, to } = flow;
  // The service says itself that this call moved nothing.
  const byOthers = outcomeOf(journaled) === 'refused';
  const { moved, notMoved, elsewhere, notVisible } = seen;
  const each = (ips: readonly string[], one: string, many = one) =>
    ips.length === 0 ? [] : [`${listed(ips, style).join(' ')} ${ips.length === 1 ? one : many}`];
  return [
    ...(moved.length > 0 && !byOthers ? [`${moved.length} of ${counted(moves.length, 'IP')} moved`] : []),
    ...each(notMoved, `stayed in ${from}`),
    ...each(byOthers ? moved : [], `was moved to ${to} by somebody else`, `were moved to ${to} by somebody else`),
    ...each(elsewhere, 'was moved away by somebody else', 'were moved away by somebody else'),
    ...each(notVisible, 'is not visible yet', 'are not visible yet'),
  ];
}

function seenIps({ seen }: JournaledCall): Exclude<Seen, { took: boolean }> | undefined {
  return seen && 'moved' in seen ? seen : undefined;
}
