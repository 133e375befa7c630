/** Calls that were made, and those that were not, as rows: what was called, what became of it, with which IPs or settings. */
import type { Call } from '../../kinds/call.ts';
import { outcomeOf } from '../../kinds/knownCalls.ts';
import type { JournaledCall } from '../../sync/run/journal.ts';
import { callCells, contentWords, groupsOf, isSamePair } from './callRows.ts';
import type { Row } from './layout.ts';
import { outcomeWords, paintOf, tellsEachIp } from './outcomeWords.ts';
import type { Style } from './style.ts';
import { apart, consecutive } from './words.ts';

export function madeRows(made: readonly JournaledCall[], style: Style): Row[] {
  const isAlike = (a: JournaledCall, b: JournaledCall) => isPlain(a) && isPlain(b) && outcomeOf(a) === outcomeOf(b);
  const groups = consecutive(made, (a, b) => !style.full && isSamePair(a.call, b.call) && isAlike(a, b));
  return groups.flatMap((group) => (group[0] ? [madeRow(group[0], group, style)] : []));
}

export function notMadeRows(calls: readonly Call[], style: Style): Row[] {
  return groupsOf(calls, style).map((group) => ({
    cells: callCells(group, style),
    words: [style.paint.red('not sent'), ...apart(contentWords(group, style))],
  }));
}

/** Nothing to tell beyond a word, so that it can share a row with its like. */
function isPlain(journaled: JournaledCall): boolean {
  return ['done', 'accepted'].includes(outcomeOf(journaled)) && !tellsEachIp(journaled);
}

function madeRow(first: JournaledCall, group: readonly JournaledCall[], style: Style): Row {
  const calls = group.map(({ call }) => call);
  const outcome = outcomeWords(first, style)
    .split(' ')
    .map(paintOf(outcomeOf(first), style));
  const contents = tellsEachIp(first) ? [] : apart(contentWords(calls, style));
  return { cells: callCells(calls, style), words: [...outcome, ...contents] };
}
