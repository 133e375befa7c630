/** Every move of a report, one by one and by pair of zones, with what became of it where it was carried out. */

import { movedBy, outcomeOf } from '../../kinds/knownCalls.ts';
import type { Move } from '../../kinds/zoneIpAllocation/solver/model.ts';
import type { JournaledCall } from '../../sync/run/journal.ts';
import { byPair } from '../model/pairs.ts';
import type { Report } from '../model/report.ts';
import { movesOf } from '../text/callRows.ts';

export type Fate =
  | 'moved'
  | 'stayed'
  | 'moved by somebody else'
  | 'not visible yet'
  | 'refused'
  | 'not known'
  | 'not sent';

export interface ToldMove extends Move {
  /** Of a run only. */
  fate?: Fate;
}

export interface Pair {
  from: string;
  to: string;
  moves: ToldMove[];
}

/** In the order of the calls. An IP that was sent more than once is told once, at its best. */
export function movesIn(report: Report): ToldMove[] {
  if (report.about === 'plan') return report.plan.resources.flatMap(({ calls }) => movesOf(calls));
  const told = report.result.resources.flatMap(({ made, notMade }) => [
    ...made.flatMap(fates),
    ...movesOf(notMade).map((move): ToldMove => ({ ...move, fate: 'not sent' })),
  ]);
  const last = new Map<string, ToldMove>();
  for (const move of told) {
    const key = JSON.stringify([move.ip, move.from, move.to]);
    if (last.get(key)?.fate !== 'moved') last.set(key, move);
  }
  return [...last.values()];
}

/** The largest first. */
export function pairsOf(moves: readonly ToldMove[]): Pair[] {
  const pairs = byPair(moves).map(({ items, ...pair }): Pair => ({ ...pair, moves: items }));
  return pairs.sort((a, b) => b.moves.length - a.moves.length);
}

/** Whether it is where it was to be, as far as is known; all that is only planned counts as if it were. */
export function isCarriedOut({ fate }: ToldMove): boolean {
  return fate === undefined || fate === 'moved';
}

function fates(journaled: JournaledCall): ToldMove[] {
  const moved = new Set(movedBy(journaled));
  const seen = seenFates(journaled);
  const outcome = outcomeOf(journaled);
  const otherwise: Fate = outcome === 'refused' ? 'refused' : 'not known';
  return movesOf([journaled.call]).map((move) => ({
    ...move,
    fate: moved.has(move.ip) ? 'moved' : (seen.get(move.ip) ?? otherwise),
  }));
}

function seenFates({ seen, failed }: JournaledCall): Map<string, Fate> {
  if (!seen || !('moved' in seen)) return new Map();
  const each = (ips: readonly string[], fate: Fate) => ips.map((ip): [string, Fate] => [ip, fate]);
  return new Map([
    // Of those that this call did not move.
    ...each(seen.moved, 'moved by somebody else'),
    ...each(seen.notMoved, failed?.effect === 'none' ? 'refused' : 'stayed'),
    ...each(seen.elsewhere, 'moved by somebody else'),
    ...each(seen.notVisible, 'not visible yet'),
  ]);
}
