/**
 * Calls that may have had an effect which no read has shown. The state of a resource holds its own, because the next update is another process,
 * and may run on another machine.
 */
import { z } from 'zod';
import { lookUpOpen, unseenMoves, type WithheldMove } from '../../src/engine/doors/run.ts';
import { callSchema, callTypeOf, movesOf } from '../../src/kinds/knownCalls.ts';
import { fromKinds } from '../../src/kinds/knownKinds.ts';
import type { Call, SeenItems, SentCall } from '../../src/kinds/seam/call.ts';
import type { Properties } from '../../src/kinds/seam/kind.ts';
import type { Stack } from './stack.ts';

/** The property of a state that holds open calls. It is no input and no documented output, and most states do not have it. */
export const openCallsProperty = 'openCalls';

const at = z.iso.datetime();
const storedCall = fromKinds(() =>
  z.object({
    call: callSchema(z.object),
    sentAt: at,
    answered: z.object({ at, count: z.int().optional() }).optional(),
  }),
);

/** Returns the open calls of a state. Those that this version cannot read are left out. */
export function openCallsIn({ [openCallsProperty]: stored }: Properties): SentCall<Call>[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((each): SentCall<Call>[] => {
    const { data } = storedCall().safeParse(each);
    if (data === undefined) return [];
    const { call, sentAt, answered } = data;
    if (answered === undefined) return [{ call, sentAt }];
    const { count } = answered;
    return [{ call, sentAt, answered: { at: answered.at, ...(count !== undefined && { count }) } }];
  });
}

/** Returns the property for those of the calls that are open. A state without any does not have it. */
export function storedOpenCalls(sent: readonly SentCall<Call>[]): Properties {
  const open = sent.filter(isOpen).map(({ call, sentAt, answered }) => ({ call, sentAt, answered }));
  return open.length === 0 ? {} : { [openCallsProperty]: open };
}

function isOpen(sent: SentCall<Call>): boolean {
  return callTypeOf(sent.call).reconcile?.isOpen(sent) ?? false;
}

interface LookedUp {
  /** The calls that are still open. */
  open: SentCall<Call>[];
  /** The moves of these calls that the service accepted. */
  unseen: WithheldMove[];
}

/** Recalls what others sent, and looks up the open calls of a resource, as long as the listings may lag. With the lock, the former was done already. */
export async function lookUpState(
  { live, lagMs, resend, run }: Pick<Stack, 'live' | 'lagMs' | 'resend' | 'run'>,
  olds: Properties,
  { isBeforeWrite }: { isBeforeWrite: boolean },
): Promise<LookedUp> {
  // The calls of this process are newer.
  if (!isBeforeWrite && !run.inFlight.hasSent) await run.look();
  const stored = resend ? [] : openCallsIn(olds);
  const result: LookedUp = { open: [], unseen: [] };
  if (stored.length === 0) return result;
  // A state has no clock, so the age of its calls is not known.
  const waiting = stored.map((sent) => ({ sent, deadline: performance.now() + lagMs }));
  const found = await lookUpOpen(waiting, live.withFreshAccount(), lagMs);
  for (const sent of stored) {
    // Zones that cannot be listed show nothing.
    const seen = found.get(sent) ?? nothingSeen(sent.call);
    const unseen = unseenMoves(sent, seen, 'an earlier update');
    run.inFlight.inState(sent, unseen);
    result.unseen.push(...unseen);
    if (seen.notMoved.length + seen.notVisible.length > 0) result.open.push(sent);
  }
  return result;
}

function nothingSeen(call: Call): SeenItems {
  return { moved: [], notMoved: movesOf(call).map(({ ip }) => ip), elsewhere: [], notVisible: [] };
}
