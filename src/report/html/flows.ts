/** What flows in the picture: the largest pairs of zones each by itself, the rest together. */
import type { TextOptions } from '../text/style.ts';
import { isCarriedOut, type Pair } from './moves.ts';
import type { Flow } from './sankey.ts';
import { shortlist } from './tables.ts';

export interface ZoneFlow extends Flow {
  fromLabel: string;
  toLabel: string;
  count: number;
  /** Of a run: what is not where it was to be. */
  isOpen: boolean;
  /** The place of its pair in the table of pairs; none for those that are drawn together. */
  pair?: number;
  /** So large that it is drawn smaller than it is. */
  isCut?: boolean;
}

const mostPairs = 30;
/** Of what is drawn. The rest would leave no room to those that are named. */
const mostOfRest = 0.25;

export function flowsOf(pairs: readonly Pair[], options: TextOptions): ZoneFlow[] {
  const { shown, more } = shortlist(pairs, mostPairs, { ...options, full: false });
  const flows = shown.flatMap((pair, index) =>
    Object.values(Object.groupBy(pair.moves, (move) => (isCarriedOut(move) ? 'moved' : 'open'))).map(
      (moves): ZoneFlow => ({
        // Printable names hold no line break, so that no zone is taken for the rest.
        from: pair.from,
        to: pair.to,
        fromLabel: pair.from,
        toLabel: pair.to,
        count: moves.length,
        weight: moves.length,
        isOpen: moves.some((move) => !isCarriedOut(move)),
        pair: index,
      }),
    ),
  );
  return more === 0 ? flows : [...flows, rest(pairs.slice(shown.length), flows)];
}

function rest(pairs: readonly Pair[], drawn: readonly ZoneFlow[]): ZoneFlow {
  const moves = pairs.flatMap((pair) => pair.moves);
  const room = (drawn.reduce((sum, { weight }) => sum + weight, 0) * mostOfRest) / (1 - mostOfRest);
  return {
    from: '\n',
    to: '\n',
    fromLabel: `${pairs.length} other pairs`,
    toLabel: 'other pairs',
    count: moves.length,
    weight: Math.min(moves.length, room),
    isOpen: moves.some((move) => !isCarriedOut(move)),
    isCut: moves.length > room,
  };
}
