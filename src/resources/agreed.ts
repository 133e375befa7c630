/** What was shown is what is done: between the question and the answer, the live account may have changed. */
import { ProblemError } from '../input/problem.ts';
import type { Call } from './call.ts';
import { callKey } from './callTypes.ts';
import type { Context } from './context.ts';

/** @throws ProblemError where other calls would be made than were agreed to */
export function insistOnAgreed(calls: readonly Call[], { agreed }: Context): void {
  if (agreed === undefined || calls.length === 0 || keysOf(calls) === keysOf(agreed)) return;
  throw new ProblemError([
    {
      code: 'changed-since-plan',
      found: 'the live state has changed since it was shown: other calls would be needed now, and none was made',
      allowed: 'the calls that were shown',
      fix: 'run it again, and review what would be done now',
    },
  ]);
}

function keysOf(calls: readonly Call[]): string {
  return calls.map(callKey).join('\n');
}
