/**
 * Calls that may have had an effect which no read has shown. The state of a resource holds its own, because the next update is another process,
 * and may run on another machine.
 */
import { z } from 'zod';
import { renderFix } from '../../src/base/diagnostics/fix.ts';
import type { Problem } from '../../src/base/diagnostics/problem.ts';
import {
  lookUpOpen,
  resendProblems,
  unseenMoves,
  type WithheldMove,
  withheldProblems,
} from '../../src/engine/run/inFlight.ts';
import type { Session } from '../../src/engine/run/sessionViews.ts';
import type { Call, SeenItems, SentCall } from '../../src/kinds/call.ts';
import type { AnyKind, Properties } from '../../src/kinds/kind.ts';
import { callKey, callSchema, callTypeOf, movesOf } from '../../src/kinds/knownCalls.ts';
import { fromKinds } from '../../src/kinds/knownKinds.ts';
import type { PaidCalls } from './paidCalls.ts';
import { storedOf } from './stored/table.ts';

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

export interface OpenCalls {
  /** Remembers the calls of a resource for the resources that this process writes later. */
  remember(sent: readonly SentCall<Call>[]): void;
  /**
   * Recalls the last calls of a resource, and looks up its open ones, as long as the listings may lag. `isBeforeWrite`: the full lag passes
   * before a call whose answer was lost counts as not carried out.
   */
  lookUp(kind: AnyKind, olds: Properties, options: { isBeforeWrite: boolean }): Promise<LookedUp>;
  /** Looks up what other fronts sent, for a preview. */
  look(): Promise<void>;
  /** Returns why calls must not be sent. `unseen` are the moves of their own resource: listings without these are no basis for a plan. */
  problems(calls: readonly Call[], unseen: readonly WithheldMove[]): Problem[];
}

interface OpenCallsOptions {
  live: Session;
  lagMs: number;
  /** True if accepted moves of earlier updates may be sent again. */
  resend: boolean;
  paidCalls: Pick<PaidCalls, 'look' | 'problems'>;
}

export function createOpenCalls({ live, lagMs, resend, paidCalls }: OpenCallsOptions): OpenCalls {
  const ofProcess: SentCall<Call>[] = [];
  let hasSent = false;
  const unseenByCall = new Map<string, WithheldMove[]>();

  /** A read replica may answer with a state from before the call. */
  const recall = (sent: SentCall<Call>) => callTypeOf(sent.call).reconcile?.recall(sent, live, lagMs);

  return {
    remember(sent) {
      for (const each of sent) {
        hasSent = true;
        recall(each);
        if (isOpen(each)) ofProcess.push(each);
      }
    },
    async lookUp(kind, olds, { isBeforeWrite }) {
      // The calls of this process are newer.
      if (!hasSent) for (const each of storedOf(kind).recentCalls(olds, Date.now() - lagMs)) recall(each);
      const stored = resend ? [] : openCallsIn(olds);
      if (stored.length === 0) return { open: [], unseen: [] };
      const found = await lookUpOpen(stored, live.withFreshAccount(), { lagMs, isBeforeWrite });
      const result: LookedUp = { open: [], unseen: [] };
      for (const sent of stored) {
        // Zones that cannot be listed show nothing.
        const seen = found.get(sent) ?? nothingSeen(sent.call);
        const unseen = unseenMoves(sent, seen, 'an earlier update');
        unseenByCall.set(`${sent.sentAt} ${callKey(sent.call)}`, unseen);
        result.unseen.push(...unseen);
        if (seen.notMoved.length + seen.notVisible.length > 0) result.open.push(sent);
      }
      return result;
    },
    look: () => paidCalls.look(),
    problems(calls, unseen) {
      if (calls.length === 0) return [];
      const own = withheldProblems(unseen);
      const others = own.length > 0 ? [] : resendProblems(calls, [...unseenByCall.values()].flat());
      const problems = [...sentAgain(calls, ofProcess), ...own, ...others];
      // The log of the account knows the calls in the states too.
      return problems.length > 0 ? problems : paidCalls.problems(calls);
    },
  };
}

function nothingSeen(call: Call): SeenItems {
  return { moved: [], notMoved: movesOf(call).map(({ ip }) => ip), elsewhere: [], notVisible: [] };
}

/** Returns a problem for each move that another resource of this process may have made already. */
function sentAgain(calls: readonly Call[], open: readonly SentCall<Call>[]): Problem[] {
  const departureKey = ({ ip, from }: { ip: string; from: string }) => `${ip} ${from}`;
  const sent = new Map(
    open.flatMap((each) => movesOf(each.call).map((move) => [departureKey(move), move.to] as const)),
  );
  return calls.flatMap(movesOf).flatMap((move) => {
    const to = sent.get(departureKey(move));
    return to === undefined ? [] : [acceptedUnseen(move.ip, move.from, to)];
  });
}

function acceptedUnseen(ip: string, from: string, to: string): Problem {
  return {
    code: 'accepted-unseen',
    found: `this update has moved ${ip} from ${from} to ${to} already: no listing shows it yet, so it may still arrive`,
    allowed: 'sending a move again once it is certain that it was not carried out',
    ...renderFix('wait until the listings show where it is, then run', ({ apply }) => `${apply} again`),
  };
}
