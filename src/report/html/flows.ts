/** The flows of the chart: one for each of the largest pairs of zones, with the moves of all reasons, and one for the others. */
import { byPair, isCarriedOut, type TracedMove, type ZonePair } from '../model/moves.ts';
import { plainStyle, shortened } from '../model/style.ts';
import type { SankeyFlow } from './sankey.ts';

/** Printable names have no line break, so one before a label sets the other pairs apart from every zone. */
export interface ZoneFlow extends SankeyFlow {
  count: number;
  /** True for moves of a run that are not known to be carried out. */
  isOpen: boolean;
  /** The index of its first row in the table of pairs. Absent for pairs that are drawn together. */
  pair?: number;
  /** True if it is drawn smaller than its weight. */
  isCut?: boolean;
}

const mostPairs = 30;
/** The largest share of the chart for the other pairs, so that the named ones have room. */
const mostOfRest = 0.25;

export function flowsOf(rows: readonly ZonePair[]): ZoneFlow[] {
  const pairs = byPair(rows)
    .map(({ from, to, items }) => ({
      from,
      to,
      moves: items.flatMap(({ moves }) => moves),
      row: rows.findIndex((row) => row.from === from && row.to === to),
    }))
    .sort((a, b) => b.moves.length - a.moves.length);
  const { shown, more } = shortened(pairs, mostPairs, plainStyle);
  const flows = shown.flatMap(({ from, to, moves, row }) =>
    Object.values(Object.groupBy(moves, (move) => (isCarriedOut(move) ? 'moved' : 'open'))).map(
      (flowMoves): ZoneFlow => ({
        from,
        to,
        count: flowMoves.length,
        weight: flowMoves.length,
        isOpen: flowMoves.some((move) => !isCarriedOut(move)),
        pair: row,
      }),
    ),
  );
  return more === 0 ? flows : [...flows, rest(pairs.slice(shown.length), flows)];
}

function rest(pairs: readonly { moves: readonly TracedMove[] }[], drawn: readonly ZoneFlow[]): ZoneFlow {
  const moves = pairs.flatMap((pair) => pair.moves);
  const room = (drawn.reduce((sum, { weight }) => sum + weight, 0) * mostOfRest) / (1 - mostOfRest);
  return {
    from: `\n${pairs.length} other pairs`,
    to: '\nother pairs',
    count: moves.length,
    weight: Math.min(moves.length, room),
    isOpen: moves.some((move) => !isCarriedOut(move)),
    isCut: moves.length > room,
  };
}
