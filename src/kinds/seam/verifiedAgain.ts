/** The last check before a call of an undo is sent, for calls that take effect as a whole. */
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { assertPlannedCalls } from './approvedCalls.ts';
import type { Call } from './call.ts';
import type { SendingUndo, UndoCall } from './callType.ts';

/**
 * Reads the remaining part of the call again and checks it against the current guards. Returns undefined if nothing is left to undo.
 * @throws ProblemError if something has changed since the plan, or a guard would be broken
 */
export async function verifiedAgain<C extends Call>(
  [planned]: readonly C[],
  { readGuards, ...undoing }: SendingUndo,
  remaining: UndoCall<C>['remaining'],
): Promise<C | undefined> {
  if (planned === undefined) return undefined;
  const guards = await readGuards();
  const { call, problems } = await remaining(planned, undoing);
  const broken = call === undefined ? [] : guards([call]);
  if (problems.length + broken.length > 0) throw new ProblemError([...problems, ...broken]);
  if (call !== undefined) assertPlannedCalls([call], undoing.context);
  return call;
}
