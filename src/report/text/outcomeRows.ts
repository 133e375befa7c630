/** The outcomes of calls as rows, for runs and the history. */
import { groupsOf, type ReportedCall } from '../model/calls.ts';
import { resultRow } from '../model/results.ts';
import { apart, type Style } from '../model/style.ts';
import type { TextRow } from './layout.ts';

export function outcomeRows(calls: readonly ReportedCall[], style: Style): TextRow[] {
  const { green, yellow, red } = style.paint;
  const paints = { done: green, accepted: green, partly: yellow, refused: red, unknown: yellow, 'not sent': red };
  return groupsOf(calls, style).map((group) => {
    const { cells, outcome, words, contents } = resultRow(group, style);
    return { cells, words: [...words.split(' ').map(paints[outcome]), ...apart(contents)] };
  });
}
