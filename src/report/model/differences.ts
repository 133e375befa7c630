/** What differs in a resource, one sentence each: a pair of zones, a setting, an entry of a list, a port. */
import { does } from '../../diagnostics/valueWords.ts';
import type { Difference, PlanMode } from '../../kinds/callType.ts';
import type { Note } from '../../kinds/kind.ts';
import { callTypeOf } from '../../kinds/knownCalls.ts';
import { isUnhealthy, isUnmanaged } from '../../kinds/knownNotes.ts';
import type { ResourcePlan } from '../../sync/plan/plan.ts';
import { styleOf } from '../text/style.ts';
import { ipWords } from '../text/words.ts';
import { type Pair, pairsOf } from './pairs.ts';
import type { PlanReport } from './report.ts';

export function differencesOf(resource: ResourcePlan, mode: PlanMode): Difference[] {
  const { calls, changes } = resource;
  return [
    ...pairsOf(calls).map((pair) => ({ key: ['pair', pair.from, pair.to], text: pairText(pair, mode) })),
    ...calls.flatMap((call) => callTypeOf(call).differences(call, changes, mode)),
  ];
}

/** Whether the resource is otherwise than declared, as the exit code of `drift` has it. */
export function isDrift({ calls, notes }: ResourcePlan, report: Pick<PlanReport, 'strict'>): boolean {
  return calls.length > 0 || notes.some((note) => isDriftNote(note, report));
}

/** Whether it is otherwise than declared, though nothing would be called. */
export function isDriftNote(note: Note, { strict = false }: Pick<PlanReport, 'strict'>): boolean {
  return isUnhealthy(note) || (strict && isUnmanaged(note));
}

const style = styleOf({ color: false });

const pairWords: Record<PlanMode, (count: number, from: string, to: string) => string> = {
  plan: (count, from, to) => `${does(count, 'IP', 'moves', 'move')} from ${from} to ${to} (may incur charges)`,
  drift: (count, from, to) => `${does(count, 'IP', 'is', 'are')} in ${from} and not in ${to}`,
  destroy: (count, from, to) =>
    `${does(count, 'IP', 'is released', 'are released')} from ${from} to ${to} (may incur charges)`,
  undo: (count, from, to) =>
    `${does(count, 'IP', 'moves back', 'move back')} from ${from} to ${to} (may incur charges)`,
};

function pairText({ from, to, moves }: Pair, mode: PlanMode): string {
  return `${pairWords[mode](moves.length, from, to)}: ${ipWords(moves, style).join(' ')}`;
}
