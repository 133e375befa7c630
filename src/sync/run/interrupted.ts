/**
 * Finds out what became of the calls of earlier runs before anything is planned: one may have reached the service, may still be
 * under way, may not be visible yet, or may never have been sent.
 */
import { setTimeout } from 'node:timers/promises';
import type { Seen } from '../../kinds/call.ts';
import { movedBy, outcomeOf } from '../../kinds/knownCalls.ts';
import type { Listings } from '../../kinds/zoneIpAllocation/accountView.ts';
import { seenOf } from '../../kinds/zoneIpAllocation/calls/sendMigrations.ts';
import { ServiceError } from '../../service/errors.ts';
import type { Session } from '../session.ts';
import { type Finding, type Run, recordFindings } from './journal.ts';
import { type JournaledMove, movesIn, openMoves } from './outcome.ts';
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
 * Waits until the outcome of every open migration is known, as far as it can be known within `settleMs`. The session then reads
 * listings again that contradict what is known. Returns the moves that must not be sent again.
 */
export async function reconcileInFlight(
  runs: readonly Run[],
  session: Session,
  options: ReconcileOptions,
): Promise<WithheldMove[]> {
  const { settleMs, journal, resend = false } = options;
  for (const move of runs.flatMap(({ calls }) => movesIn(calls))) recall(move, session, settleMs);
  const open = runs.flatMap((run) => openMoves(run).map((move) => ({ run, move })));
  const sights = await watch(
    open.map(({ move }) => move),
    session,
    (move) => lookUntil(move, options),
  );
  if (journal !== undefined) await outlast(runs, settleMs);
  const findings: Finding[] = [];
  const withheld: WithheldMove[] = [];
  for (const { run, move } of open) {
    const { sent, flow } = move;
    const seen = sights.get(move);
    if (seen === undefined) continue;
    session.recentMoves.add(flow, seen.moved, Date.now() + settleMs);
    const unseen = outcomeOf(sent) === 'accepted' && !resend ? [...seen.notMoved, ...seen.notVisible] : [];
    const { from, to } = flow;
    withheld.push(...unseen.map((ip) => ({ ip, from, to, acceptedAt: acceptedAt(sent), run: run.id })));
    if (unseen.length === 0) findings.push({ run, call: sent, seen });
  }
  if (journal !== undefined) await recordFindings(journal, findings);
  return withheld;
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

/** To be called in the order of the calls: the last one tells where an IP is. Only what a read-back showed is certain. */
function recall({ sent, flow }: JournaledMove, { recentMoves }: Session, settleMs: number): void {
  if (outcomeOf(sent) === 'refused') return;
  const moved = sent.seen ? new Set(movedBy(sent)) : new Set<string>();
  recentMoves.forget(flow.moves.map(({ ip }) => ip).filter((ip) => !moved.has(ip)));
  recentMoves.add(flow, moved, notLater(acceptedAt(sent)) + settleMs);
}

/** When the call had its effect at the latest. */
function acceptedAt({ answered, seen, sentAt }: JournaledMove['sent']): string {
  return answered?.at ?? seen?.at ?? sentAt;
}

/** A time after now comes from a clock that was set back since. It must not be waited for. */
function notLater(time: string): number {
  return Math.min(Date.parse(time), Date.now());
}

function lookUntil({ sent }: JournaledMove, { settleMs, journal }: ReconcileOptions): number {
  return (journal === undefined ? notLater(acceptedAt(sent)) : Date.now()) + settleMs;
}

type MoveSights = Extract<Seen, { moved: readonly string[] }>;

/** Lists each zone once per round, however many calls are open. */
async function watch(
  moves: readonly JournaledMove[],
  session: Session,
  deadlineOf: (move: JournaledMove) => number,
): Promise<Map<JournaledMove, MoveSights>> {
  const sights = new Map<JournaledMove, MoveSights>();
  let waiting = moves.map((move) => ({ move, deadline: deadlineOf(move) }));
  for (let pause = firstPauseMs; waiting.length > 0; pause = Math.min(pause * 2, longestPauseMs)) {
    const listings = await listZones(new Set(waiting.flatMap(({ move: { flow } }) => [flow.from, flow.to])), session);
    for (const { move } of waiting) {
      const { from, to } = move.flow;
      const [source, target] = [listings.get(from), listings.get(to)];
      if (source && target)
        sights.set(
          move,
          seenOf(
            move.flow,
            new Map([
              [from, source],
              [to, target],
            ]),
          ),
        );
    }
    const now = Date.now();
    waiting = waiting.filter(({ move, deadline }) => deadline > now && !isTold(move, sights.get(move)));
    const latest = Math.max(...waiting.map(({ deadline }) => deadline));
    if (waiting.length > 0) await setTimeout(Math.min(pause, latest - now));
  }
  return sights;
}

function isTold({ flow }: JournaledMove, seen: MoveSights | undefined): boolean {
  return seen?.moved.length === flow.moves.length;
}

/** Zones that cannot be listed leave their calls open. The resources that need them say why. */
async function listZones(zones: ReadonlySet<string>, { account }: Session): Promise<Listings> {
  account.changed();
  const listed = await Promise.all(
    Array.from(zones, async (zone) => {
      const listing = await account.list([zone]).catch(unlisted);
      return listing ? [...listing] : [];
    }),
  );
  return new Map(listed.flat());
}

function unlisted(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.code === 'aborted') throw error;
}

const firstPauseMs = 100;
const longestPauseMs = 1_000;
