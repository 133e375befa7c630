/**
 * Calls that may have had an effect which no read has shown. The state of a resource holds its own, because the next update is another process,
 * and may run on another machine.
 */
import { z } from 'zod';
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

/** Returns the open calls of a state; none of a state that cannot be read. */
export function openCallsIn({ [openCallsProperty]: stored = [] }: Properties): SentCall<Call>[] {
  return storedCalls().safeParse(stored).data ?? [];
}

/** Returns the property for those of the calls that are open. A state without any does not have it. */
export function storedOpenCalls(sent: readonly SentCall<Call>[]): Properties {
  const isOpen = (each: SentCall<Call>) => callTypeOf(each.call).reconcile?.isOpen(each) ?? false;
  const open = sent.filter(isOpen).map(({ call, sentAt, answered }) => ({ call, sentAt, answered }));
  return open.length === 0 ? {} : { [openCallsProperty]: open };
}
