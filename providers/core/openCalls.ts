/**
 * Calls that may have had an effect which no read has shown. The state of a resource holds its own, because the next update is another process,
 * and may run on another machine.
 */
import { z } from 'zod';
import { type Problem, ProblemError } from '../../src/base/diagnostics/problem.ts';
import { callSchema, callTypeOf } from '../../src/kinds/knownCalls.ts';
import { fromKinds } from '../../src/kinds/knownKinds.ts';
import type { Call, SentCall } from '../../src/kinds/seam/call.ts';
import type { Properties } from '../../src/kinds/seam/kind.ts';

/** The property of a state that holds open calls. It is no input and no documented output, and most states do not have it. */
export const openCallsProperty = 'openCalls';

const at = z.iso.datetime();
const storedCalls = fromKinds(() =>
  z.array(
    z.object({
      call: callSchema(z.object),
      sentAt: at,
      answered: z.object({ at, count: z.int().exactOptional() }).exactOptional(),
    }),
  ),
);

/** @throws ProblemError for calls that cannot be read: without them, one that was billed could be sent again */
export function openCallsIn({ [openCallsProperty]: stored = [] }: Properties): SentCall<Call>[] {
  const { data } = storedCalls().safeParse(stored);
  if (data === undefined) throw new ProblemError([unreadableCalls]);
  return data;
}

const unreadableCalls: Problem = {
  code: 'unreadable-state',
  path: [openCallsProperty],
  found: 'the state holds calls of an earlier update that no listing had shown, and this version cannot read them',
  allowed: 'calls as this version writes them',
  fix: 'run the version that wrote the state; or, once the zones show the moves, remove the resource from the state and import it again',
};

/** Returns the property for those of the calls that are open. A state without any does not have it. */
export function storedOpenCalls(sent: readonly SentCall<Call>[]): Properties {
  const isOpen = (each: SentCall<Call>) => callTypeOf(each.call).reconcile?.isOpen(each) ?? false;
  const open = sent.filter(isOpen).map(({ call, sentAt, answered }) => ({ call, sentAt, answered }));
  return open.length === 0 ? {} : { [openCallsProperty]: open };
}
