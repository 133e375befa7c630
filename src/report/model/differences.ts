/** The differences of a resource, one sentence each. */
import { does } from '../../base/diagnostics/valueWords.ts';
import type { ResourcePlan } from '../../engine/plan/plan.ts';
import { callWords, type Difference, type PlanMode } from '../../kinds/callWords.ts';
import { plannedPairs, type ZonePair } from './moves.ts';
import { ipWords, plainStyle } from './style.ts';

export function differencesOf(resource: ResourcePlan, mode: PlanMode): Difference[] {
  const { calls, changes } = resource;
  return [
    ...plannedPairs(calls).map((pair) => ({
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

function pairText({ from, to, moves }: ZonePair, mode: PlanMode): string {
  return `${pairWords[mode](moves.length, from, to)}: ${ipWords(moves, plainStyle).join(' ')}`;
}
