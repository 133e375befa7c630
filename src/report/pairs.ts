/** Moves by pairs of zones: a batch limit cuts what is one move to a person into many calls. */
import type { Move, MoveReason } from '../allocation/model.ts';
import type { Call } from '../resources/call.ts';

export interface Pair {
  from: string;
  to: string;
  moves: readonly Move[];
  calls: number;
}

/** In the order in which they are first called. */
export function pairsOf(calls: readonly Call[]): Pair[] {
  const migrations = calls.filter((call) => call.type === 'migrate');
  const groups = Map.groupBy(migrations, ({ from, to }) => JSON.stringify([from, to]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    return [{ from: first.from, to: first.to, moves: group.flatMap(({ moves }) => moves), calls: group.length }];
  });
}

/** How many of the moves are for which reason. */
export function reasonsOf(moves: readonly Move[]): Map<MoveReason, number> {
  const counts = new Map<MoveReason, number>();
  for (const { reason } of moves) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
}
