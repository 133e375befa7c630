/** The differences of a resource with drift, one sentence each. */
import { does } from '../../base/diagnostics/valueWords.ts';
import type { ResourcePlan } from '../../engine/plan/plan.ts';
import { callWords } from '../../kinds/callWords.ts';
import { plannedPairs, type ZonePair } from './moves.ts';
import { ipWords, plainStyle } from './style.ts';

export function driftSentences({ calls, changes }: ResourcePlan): string[] {
  return [
    ...plannedPairs(calls).map(pairSentence),
    ...calls.flatMap((call) => callWords.of(call).driftSentences(call, changes)),
  ];
}

function pairSentence({ from, to, moves }: ZonePair): string {
  return `${does(moves.length, 'IP', 'is', 'are')} in ${from} and not in ${to}: ${ipWords(moves, plainStyle).join(' ')}`;
}
