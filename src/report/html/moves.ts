/** The moves of a report, with the outcome of each: one by one, by pair of zones, and as flows of the chart. */

import type { JournaledCall } from '../../engine/run/journal.ts';
import { movedBy, outcomeOf } from '../../kinds/knownCalls.ts';
import type { Move } from '../../kinds/move.ts';
import { byPair } from '../model/differences.ts';
import type { Report } from '../model/report.ts';
import { movesOfAll } from '../text/callRows.ts';
import type { TextOptions } from '../text/style.ts';
import type { SankeyFlow } from './sankey.ts';
import { shortlist } from './tables.ts';

type Fate = 'moved' | 'stayed' | 'moved by another user' | 'not visible yet' | 'refused' | 'unknown' | 'not sent';

export interface TracedMove extends Move {
  /** The outcome, for a run. */
  fate?: Fate;
}

export interface ZonePair {
  from: string;
  to: string;
  moves: TracedMove[];
}

/** Returns the moves in the order of the calls. A move that was sent more than once appears once, with its best outcome. */
export function tracedMoves(report: Report): TracedMove[] {
  if (report.about === 'plan') return report.plan.resources.flatMap(({ calls }) => movesOfAll(calls));
  const reported = report.result.resources.flatMap(({ made, notMade }) => [
    ...made.flatMap(fates),
    ...movesOfAll(notMade).map((move): TracedMove => ({ ...move, fate: 'not sent' })),
  ]);
  const last = new Map<string, TracedMove>();
  for (const move of reported) {
    const key = JSON.stringify([move.ip, move.from, move.to]);
    if (last.get(key)?.fate !== 'moved') last.set(key, move);
  }
  return [...last.values()];
}

/** Groups the moves by pair of zones, the largest first. */
export function zonePairs(moves: readonly TracedMove[]): ZonePair[] {
  const pairs = byPair(moves).map(({ items, ...pair }): ZonePair => ({ ...pair, moves: items }));
  return pairs.sort((a, b) => b.moves.length - a.moves.length);
}

/** Reports whether the IP is known to be in its target zone. Planned moves count as carried out. */
export function isCarriedOut({ fate }: TracedMove): boolean {
  return fate === undefined || fate === 'moved';
}

function fates(journaled: JournaledCall): TracedMove[] {
  const moved = new Set(movedBy(journaled));
  const seen = seenFates(journaled);
  const outcome = outcomeOf(journaled);
  const otherwise: Fate = outcome === 'refused' ? 'refused' : 'unknown';
  return movesOfAll([journaled.call]).map((move) => ({
    ...move,
    fate: moved.has(move.ip) ? 'moved' : (seen.get(move.ip) ?? otherwise),
  }));
}

function seenFates({ seen, failed }: JournaledCall): Map<string, Fate> {
  if (!seen || !('moved' in seen)) return new Map();
  const each = (ips: readonly string[], fate: Fate) => ips.map((ip): [string, Fate] => [ip, fate]);
  return new Map([
    // Only of IPs that this call did not move.
    ...each(seen.moved, 'moved by another user'),
    ...each(seen.notMoved, failed?.effect === 'none' ? 'refused' : 'stayed'),
    ...each(seen.elsewhere, 'moved by another user'),
    ...each(seen.notVisible, 'not visible yet'),
  ]);
}

export interface ZoneFlow extends SankeyFlow {
  fromLabel: string;
  toLabel: string;
  count: number;
  /** True for moves of a run that are not known to be carried out. */
  isOpen: boolean;
  /** The index of its row in the table of pairs. Absent for pairs that are drawn together. */
  pair?: number;
  /** True if it is drawn smaller than its weight. */
  isCut?: boolean;
}

const mostPairs = 30;
/** The largest share of the chart for the other pairs, so that the named ones have room. */
const mostOfRest = 0.25;

export function flowsOf(pairs: readonly ZonePair[], options: TextOptions): ZoneFlow[] {
  const { shown, more } = shortlist(pairs, mostPairs, { ...options, full: false });
  const flows = shown.flatMap((pair, index) =>
    Object.values(Object.groupBy(pair.moves, (move) => (isCarriedOut(move) ? 'moved' : 'open'))).map(
      (moves): ZoneFlow => ({
        // Printable names have no line break, so that no zone can be mistaken for the rest ('\n').
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

function rest(pairs: readonly ZonePair[], drawn: readonly ZoneFlow[]): ZoneFlow {
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
