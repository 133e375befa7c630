import type { Call } from '../../src/kinds/seam/call.ts';
import type { PlanMode } from '../../src/kinds/seam/callWords.ts';
import { totalsOf } from '../../src/kinds/shownCalls.ts';

/** Returns the totals of these calls that are not zero, as the summary of a plan words them, or that of a run without a mode. */
export function totalWords(calls: readonly Call[], mode?: PlanMode): (string | undefined)[] {
  return totalsOf(calls)
    .filter(({ count }) => count > 0)
    .map(({ total: { words }, count, calls: sent }) =>
      mode === undefined ? words?.done(count, sent) : words?.planned(count, sent, mode),
    );
}
