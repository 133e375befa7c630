/** The differences of a resource, one sentence each, and its moves by pair of zones. */
import { does } from '../../base/diagnostics/valueWords.ts';
import type { ResourcePlan } from '../../engine/plan/plan.ts';
import type { Call } from '../../kinds/call.ts';
import { callWords, type Difference, type PlanMode } from '../../kinds/callWords.ts';
import { callTypeOf } from '../../kinds/knownCalls.ts';
import type { Move, MoveReason } from '../../kinds/move.ts';
import { ipWords, plainStyle } from '../text/style.ts';

export function differencesOf(resource: ResourcePlan, mode: PlanMode): Difference[] {
  const { calls, changes } = resource;
  return [
    ...pairsOf(calls).map((pair) => ({
      key: ['pair', pair.from, pair.to],
      text: pairText(pair, mode),
      zones: [pair.to, pair.from],
    })),
    ...calls.flatMap((call) => callWords.of(call).differences(call, changes, mode)),
  ];
}

const pairWords: Record<PlanMode, (count: number, from: string, to: string) => string> = {
  plan: (count, from, to) => `${does(count, 'IP', 'moves', 'move')} from ${from} to ${to} (may incur charges)`,
  drift: (count, from, to) => `${does(count, 'IP', 'is', 'are')} in ${from} and not in ${to}`,
  destroy: (count, from, to) =>
    `${does(count, 'IP', 'is released', 'are released')} from ${from} to ${to} (may incur charges)`,
  undo: (count, from, to) =>
    `${does(count, 'IP', 'moves back', 'move back')} from ${from} to ${to} (may incur charges)`,
};

function pairText({ from, to, moves }: PlannedPair, mode: PlanMode): string {
  return `${pairWords[mode](moves.length, from, to)}: ${ipWords(moves, plainStyle).join(' ')}`;
}

interface PlannedPair {
  from: string;
  to: string;
  moves: readonly Move[];
  calls: number;
}

/** Returns the moves by pair of zones, in the order of the first call. A batch limit splits one move of IPs into many calls. */
export function pairsOf(calls: readonly Call[]): PlannedPair[] {
  const flows = calls.flatMap((call) => callTypeOf(call).flow(call) ?? []);
  return byPair(flows).map(({ from, to, items }) => {
    return { from, to, moves: items.flatMap(({ moves }) => moves), calls: items.length };
  });
}

/** Groups items by their two zones, in their order. Printable names have no line break. */
export function byPair<Item extends { from: string; to: string }>(
  items: readonly Item[],
): { from: string; to: string; items: Item[] }[] {
  const groups = Map.groupBy(items, ({ from, to }) => `${from}\n${to}`);
  return [...groups.values()].flatMap((its) => (its[0] ? [{ from: its[0].from, to: its[0].to, items: its }] : []));
}

/** Counts the moves by reason. */
export function reasonsOf(moves: readonly Move[]): Map<MoveReason, number> {
  const counts = new Map<MoveReason, number>();
  for (const { reason } of moves) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
}
