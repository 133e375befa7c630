/**
 * Finds out what became of the calls of earlier runs before anything is planned: one may have reached the service, may still be
 * under way, may not be visible yet, or may never have been sent.
 */
import { setTimeout } from 'node:timers/promises';
import { effectiveAt, type SeenItems, type SentCall } from '../../kinds/call.ts';
import { callTypeOf, outcomeOf } from '../../kinds/knownCalls.ts';
import type { Session } from '../session.ts';
import { type Finding, type JournaledCall, type Run, recordFindings } from './journal.ts';
import { openCalls } from './outcome.ts';
import type { WithheldMove } from './withheld.ts';

export interface ReconcileOptions {
  /** How long listings may lag behind a write. */
  settleMs: number;
  /**
   * The journal to record findings in, for commands that go on to send. Then the full `settleMs` pass before a call counts as not
   * carried out: it may come into effect late.
   */
  journal?: string | undefined;
  /** Moves that were accepted and that no listing shows may be sent again. */
  resend?: boolean | undefined;
}

/**
 * Waits until the outcome of every open call is known, as far as it can be known within `settleMs`. The session then reads
 * again what contradicts what is known. Returns the moves that must not be sent again.
 */
export async function reconcileInFlight(
  runs: readonly Run[],
  session: Session,
  options: ReconcileOptions,
): Promise<WithheldMove[]> {
  const { settleMs, journal, resend = false } = options;
  for (const sent of runs.flatMap(({ calls }) => calls)) {
    callTypeOf(sent.call).reconcile?.recall(sent, session, settleMs);
  }
  const open = runs.flatMap((run) => openCalls(run).map((call) => ({ run, call })));
  const found = await lookUp(
    open.map(({ call }) => call),
    session,
    options,
  );
  if (journal !== undefined) await outlast(runs, settleMs);
  const findings: Finding[] = [];
  const withheld: WithheldMove[] = [];
  for (const { run, call } of open) {
    const seen = found.get(call);
    if (seen === undefined) continue;
    const unseen = outcomeOf(call) === 'accepted' && !resend ? [...seen.notMoved, ...seen.notVisible] : [];
    withheld.push(...withheldMoves(call, unseen, run));
    if (unseen.length === 0) findings.push({ run, call, seen });
  }
  if (journal !== undefined) await recordFindings(journal, findings);
  return withheld;
}

function withheldMoves(sent: JournaledCall, unseen: readonly string[], { id: run }: Run): WithheldMove[] {
  const { flow } = callTypeOf(sent.call).describe(sent.call, []);
  if (flow === undefined) return [];
  const { from, to } = flow;
  return unseen.map((ip) => ({ ip, from, to, acceptedAt: effectiveAt(sent), run }));
}

/** Each type of call looks its own calls up. */
async function lookUp(
  open: readonly JournaledCall[],
  session: Session,
  { settleMs, journal }: ReconcileOptions,
): Promise<ReadonlyMap<SentCall<unknown>, SeenItems>> {
  const deadlineOf = (sent: JournaledCall) =>
    (journal === undefined ? notLater(effectiveAt(sent)) : Date.now()) + settleMs;
  const found = new Map<SentCall<unknown>, SeenItems>();
  for (const [{ reconcile }, calls] of Map.groupBy(open, ({ call }) => callTypeOf(call))) {
    const waiting = calls.map((sent) => ({ sent, deadline: deadlineOf(sent) }));
    for (const [sent, seen] of (await reconcile?.lookUp(waiting, session, settleMs)) ?? []) found.set(sent, seen);
  }
  return found;
}

/** A damaged line may hide a call: what it may have done shows when listings no longer lag behind its run. */
async function outlast(runs: readonly Run[], settleMs: number): Promise<void> {
  const times = runs.filter(({ damage }) => damage).map((run) => notLater(lastTimeOf(run)));
  const remaining = Math.max(...times) + settleMs - Date.now();
  if (remaining > 0) await setTimeout(remaining);
}

function lastTimeOf({ startedAt, calls, ended }: Run): string {
  const times = calls.flatMap(({ sentAt, answered, seen }) => [sentAt, answered?.at ?? '', seen?.at ?? '']);
  return [startedAt, ...times, ended?.at ?? ''].reduce((a, b) => (a > b ? a : b));
}

/** A time after now comes from a clock that was set back since. It must not be waited for. */
function notLater(time: string): number {
  return Math.min(Date.parse(time), Date.now());
}
