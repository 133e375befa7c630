/** A run sends the planned calls or none: between the prompt and the answer, the live state may have changed. */
import { ProblemError } from '../../base/diagnostics/problem.ts';
import type { Call } from './call.ts';
import type { Context } from './context.ts';

/** @throws ProblemError if the calls differ from the ones that were shown and approved */
export function assertPlannedCalls(calls: readonly Call[], { isPlanned }: Pick<Context, 'isPlanned'>): void {
  if (isPlanned === undefined || calls.length === 0 || isPlanned(calls)) return;
  throw new ProblemError([
    {
      code: 'changed-since-plan',
      found: 'the live state has changed since it was shown: other calls would be needed now, and none was made',
      allowed: 'the calls that were shown',
      fix: 'run it again, and review what would be done now',
    },
  ]);
}
