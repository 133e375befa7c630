/** The differences of a resource with drift, one sentence each. */
import { does } from '../../base/diagnostics/valueWords.ts';
import type { ResourcePlan } from '../../engine/doors/plan.ts';
import { kinds } from '../../kinds/knownKinds.ts';
import { callWords } from '../../kinds/seam/callWords.ts';
import { driftComparison } from '../../kinds/seam/comparison.ts';
import { plannedPairs, type ZonePair } from './moves.ts';
import { ipWords, plainStyle } from './style.ts';

export function driftSentences(resource: ResourcePlan): string[] {
  const { calls, changes } = resource;
  return [
    ...plannedPairs(calls).map(pairSentence),
    ...countSentences(resource),
    ...calls.flatMap((call) => callWords.of(call).driftSentences(call, changes)),
  ];
}

/** Returns the differences that no call shows: `checkout has 19 us IPs, 20 are declared`. */
export function countSentences({ kind, causes = [] }: Pick<ResourcePlan, 'kind' | 'causes'>): string[] {
  const definition = kinds.find(({ name }) => name === kind);
  const { sentence } = (definition && driftComparison.of(definition)) ?? {};
  return causes.flatMap((difference) => sentence?.(difference) ?? []);
}

function pairSentence({ from, to, moves }: ZonePair): string {
  return `${does(moves.length, 'IP', 'is', 'are')} in ${from} and not in ${to}: ${ipWords(moves, plainStyle).join(' ')}`;
}
