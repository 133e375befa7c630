/** From moves to calls: one for each pair of zones, cut at the batch limit, in an order that keeps every floor, within all guards. */
import { sortedByIp } from '../../seam/ipOrder.ts';
import type { Move } from '../../seam/move.ts';
import { belowFloor, floorsOf, guardProblems, sizesOf } from './guards.ts';
import type { Allocation, AllocationPlan, Limits, Live, MigrateBatch, Neighbourhood } from './model.ts';
import { ordered } from './order.ts';

export function scheduled(
  moves: readonly Move[],
  allocation: Allocation,
  live: Live,
  neighbours: Neighbourhood,
  limits: Limits,
): Pick<AllocationPlan, 'batches' | 'problems'> {
  if (moves.length === 0) return { batches: [], problems: [] };
  const unordered = batchesOf(moves, limits.batchLimit);
  const ordering = ordered(unordered, sizesOf(live), floorsOf(allocation, neighbours));
  if (ordering.blocked) {
    const { zone, left, floor, cycle } = ordering.blocked;
    return { batches: unordered, problems: [belowFloor(zone, left, floor, cycle)] };
  }
  const { batches } = ordering;
  return { batches, problems: guardProblems(batches, allocation, live, neighbours, limits) };
}

function batchesOf(moves: readonly Move[], limit = Number.POSITIVE_INFINITY): MigrateBatch[] {
  const pairs = Map.groupBy(moves, ({ from, to }) => JSON.stringify([from, to]));
  return [...pairs.values()].flatMap((ofPair) => {
    const inOrder = sortedByIp(ofPair, (move) => move.ip);
    const batches: MigrateBatch[] = [];
    while (inOrder.length > 0) {
      const part = inOrder.splice(0, limit);
      const [first] = part;
      if (first) batches.push({ from: first.from, to: first.to, moves: part });
    }
    return batches;
  });
}
