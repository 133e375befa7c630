/** Moves by pairs of zones: a batch limit cuts what is one move to a person into many calls. */

import type { Call } from '../../kinds/call.ts';
import { callTypeOf } from '../../kinds/knownCalls.ts';
import type { Move, MoveReason } from '../../kinds/zoneIpAllocation/solver/model.ts';

export interface Pair {
  from: string;
  to: string;
  moves: readonly Move[];
  calls: number;
}

/** In the order in which they are first called. */
export function pairsOf(calls: readonly Call[]): Pair[] {
  const flows = calls.flatMap((call) => callTypeOf(call).describe(call, []).flow ?? []);
  return byPair(flows).map(({ from, to, items }) => {
    return { from, to, moves: items.flatMap(({ moves }) => moves), calls: items.length };
  });
}

/** Whatever goes from one zone to another, by these two, in the order in which they come. */
export function byPair<Item extends { from: string; to: string }>(
  items: readonly Item[],
): { from: string; to: string; items: Item[] }[] {
  const groups = Map.groupBy(items, ({ from, to }) => JSON.stringify([from, to]));
  return [...groups.values()].flatMap((its) => (its[0] ? [{ from: its[0].from, to: its[0].to, items: its }] : []));
}

/** How many of the moves are for which reason. */
export function reasonsOf(moves: readonly Move[]): Map<MoveReason, number> {
  const counts = new Map<MoveReason, number>();
  for (const { reason } of moves) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
}
