/** Totals of an apply, for its last line and for programs. */
import { mergeByCause } from '../../diagnostics/problem.ts';
import type { CallOutcome } from '../../kinds/call.ts';
import { type CountedTotal, effectOf, outcomeOf, totalsOf } from '../../kinds/knownCalls.ts';
import type { ApplyResult } from '../../sync/run/outcome.ts';

export interface ApplyTotals {
  /** Planned and sent or not. */
  calls: number;
  /** Took effect, at least in part: done, accepted, partly, or unknown with IPs that are known to have moved. */
  made: number;
  refused: number;
  /** Nothing is known to have taken effect. */
  unknown: number;
  notSent: number;
  /** What the calls changed, as far as is known, counted by the types of calls. */
  totals: CountedTotal[];
  problems: number;
}

export function applyTotals({ resources }: ApplyResult): ApplyTotals {
  const made = resources.flatMap((resource) => resource.made);
  const notSent = resources.reduce((sum, { notMade }) => sum + notMade.length, 0);
  const count = (...outcomes: CallOutcome[]) => made.filter((call) => outcomes.includes(outcomeOf(call))).length;
  const partlyKnown = made.filter((call) => outcomeOf(call) === 'unknown' && effectOf(call).length > 0).length;
  return {
    calls: made.length + notSent,
    made: count('done', 'accepted', 'partly') + partlyKnown,
    refused: count('refused'),
    unknown: count('unknown') - partlyKnown,
    notSent,
    totals: totalsOf(made.flatMap(effectOf)),
    problems: mergeByCause(resources.flatMap(({ problems }) => problems)).length,
  };
}

/** Whether anything is not as it was to be. */
export function hasFailed({ resources }: ApplyResult): boolean {
  return resources.some(({ outcome, problems }) => ['failed', 'skipped'].includes(outcome) || problems.length > 0);
}
