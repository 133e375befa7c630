/**
 * Determines the outcome of calls of earlier runs before anything is planned: a call may have taken effect, may still be under way, may
 * not be visible yet, or may never have been sent. Moves that were accepted but are not visible are not sent again without `resend`.
 */
import { setTimeout } from 'node:timers/promises';
import { renderFix } from '../../base/diagnostics/fix.ts';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { counted } from '../../base/diagnostics/valueWords.ts';
import { callKey, callTypeOf, movesOf, outcomeOf } from '../../kinds/knownCalls.ts';
import type { Call, SeenItems, SentCall } from '../../kinds/seam/call.ts';
import type { OpenCall } from '../../kinds/seam/callType.ts';
import type { Views } from '../../kinds/seam/views.ts';
import { openCalls } from './applyResult.ts';
import type { JournaledCall, ReadBackFinding, Run } from './journal.ts';
import { shortRunId } from './runId.ts';
import type { Session } from './session.ts';

interface ReconcileOptions {
  /** The time in ms that listings may lag behind a write. */
  lagMs: number;
  /**
   * Records the findings, for commands that send calls afterwards. Then the full `lagMs` pass before a call counts as not carried out, since it
   * may take effect late.
   */
  record?: ((findings: readonly ReadBackFinding[]) => Promise<void>) | undefined;
  /** True if accepted moves that no listing shows may be sent again. */
  resend?: boolean | undefined;
}

/** Calls on their way on an account: those of earlier runs whose outcome is open, and those of this process that no listing shows yet. */
export class InFlight {
  readonly #lagMs: number;
  readonly #ofProcess: SentCall<Call>[] = [];
  readonly #ofStates = new Map<string, readonly WithheldMove[]>();
  #withheld: readonly WithheldMove[] = [];
  /** The calls of other names at the server that were known when the account was looked at: what they moved is withheld or listed. */
  readonly #judged = new Set<string>();
  #hasSent = false;
  #resends = false;

  constructor(lagMs: number) {
    this.#lagMs = lagMs;
  }

  /** Finds out what became of the calls of these runs, as `reconcileInFlight` does. */
  async lookUp(runs: readonly Run[], session: Session, options: Omit<ReconcileOptions, 'lagMs'>): Promise<void> {
    this.#resends = options.resend === true;
    for (const { run, seq } of callsOfOthers(runs)) this.#judged.add(`${run.id} ${seq}`);
    this.#withheld = await reconcileInFlight(runs, session, { ...options, lagMs: this.#lagMs });
  }

  /** Adds the calls that a write has just sent. A read replica may answer with a state from before them. */
  sent(calls: readonly SentCall<Call>[], views: Views): void {
    for (const each of calls) {
      this.#hasSent = true;
      const { reconcile } = callTypeOf(each.call);
      reconcile?.recall(each, views, performance.now() + this.#lagMs);
      if (reconcile?.isOpen(each)) this.#ofProcess.push(each);
    }
  }

  /** True if a write of this process has sent calls. */
  get hasSent(): boolean {
    return this.#hasSent;
  }

  /** Adds a call that only the state of a front knows, with its moves that no listing shows; none once they are visible. */
  inState(sent: SentCall<Call>, unseen: readonly WithheldMove[]): void {
    this.#ofStates.set(`${sent.sentAt} ${callKey(sent.call)}`, unseen);
  }

  /** Returns why calls must not be sent. `unseen` are moves of their own resource: listings without these are no basis for a plan. */
  problems(calls: readonly Call[], unseen: readonly WithheldMove[] = []): Problem[] {
    if (calls.length === 0) return [];
    const own = [...sentAgain(calls, this.#ofProcess), ...withheldProblems(unseen)];
    if (own.length > 0) return own;
    const ofStates = resendProblems(calls, [...this.#ofStates.values()].flat());
    // The log of the account knows the calls in the states too.
    return ofStates.length > 0 ? ofStates : resendProblems(calls, this.#withheld);
  }

  /** Returns why a call must not be sent beside those that other names at the server have recorded since the look-up. */
  async problemsBeside(call: Call, runsOfOthers: () => Promise<readonly Run[]>): Promise<Problem[]> {
    if (this.#resends || movesOf(call).length === 0) return [];
    const calls = callsOfOthers(await runsOfOthers());
    const since = calls.filter(({ run, seq }) => !this.#judged.has(`${run.id} ${seq}`));
    return resendProblems([call], since.filter(mayHaveMoved).flatMap(movesOfOther));
  }
}

/** Returns a problem for each move that another resource of this process may have made already. */
function sentAgain(calls: readonly Call[], open: readonly SentCall<Call>[]): Problem[] {
  const sent = new Map(open.flatMap((each) => movesOf(each.call).map(({ ip, from, to }) => [moveKey(ip, from), to])));
  return calls.flatMap(movesOf).flatMap(({ ip, from }) => {
    const to = sent.get(moveKey(ip, from));
    return to === undefined ? [] : [sentAlready(ip, from, to)];
  });
}

function sentAlready(ip: string, from: string, to: string): Problem {
  return {
    code: 'accepted-unseen',
    found: `this run has moved ${ip} from ${from} to ${to} already: no listing shows it yet, so it may still arrive`,
    allowed,
    ...renderFix('wait until the listings show where it is, then run', ({ apply }) => `${apply} again`),
  };
}

const allowed = 'sending a move again once it is certain that it was not carried out';

/**
 * Waits until the outcome of every open call is known, as far as it can be known within `lagMs`. The session then reads a listing again if it
 * contradicts a known outcome. Returns the moves that must not be sent again, with those of other names at the server.
 */
export async function reconcileInFlight(
  all: readonly Run[],
  session: Session,
  options: ReconcileOptions,
): Promise<WithheldMove[]> {
  const { lagMs, record, resend = false } = options;
  const runs = all.filter(({ isOfOther }) => !isOfOther);
  const now = performance.now();
  const remaining = ({ ageMs = 0 }: Run) => lagMs - ageMs;
  for (const run of runs) {
    for (const sent of run.calls) callTypeOf(sent.call).reconcile?.recall(sent, session, now + remaining(run));
  }
  const open = runs.flatMap((run) => openCalls(run).map((call) => ({ run, call })));
  const isBeforeWrite = record !== undefined;
  const waiting = open.map(({ run, call }) => ({
    sent: call,
    deadline: now + (isBeforeWrite ? lagMs : remaining(run)),
  }));
  const found = await lookUpOpen(waiting, session, lagMs);
  // Damaged lines may hide calls.
  const hidden = Math.max(...runs.filter(({ damage }) => isBeforeWrite && damage).map(remaining));
  const wait = now + hidden - performance.now();
  if (wait > 0) await setTimeout(wait);
  const findings: ReadBackFinding[] = [];
  const ofOthers = resend ? [] : callsOfOthers(all).filter((sent) => mayBeUnseen(sent, lagMs));
  const withheld = ofOthers.flatMap(movesOfOther);
  for (const { run, call } of open) {
    const looked = found.get(call);
    if (looked === undefined) continue;
    const seen = withMovedOn(looked, call, runs);
    const unseen = resend ? [] : unseenMoves(call, seen, `run ${run.id.slice(0, 8)}`);
    withheld.push(...unseen);
    if (unseen.length === 0) findings.push({ run, call, seen });
  }
  await record?.(findings);
  return withheld;
}

/** Counts an IP as moved if a later call has moved it on from the target: then it was there, although no listing shows it any more. */
function withMovedOn(seen: SeenItems, call: JournaledCall, runs: readonly Run[]): SeenItems {
  const calls = runs.flatMap((run) => run.calls);
  const to = callTypeOf(call.call).flow(call.call)?.to;
  const later = calls
    .slice(calls.indexOf(call) + 1)
    .filter((each) => callTypeOf(each.call).flow(each.call)?.from === to);
  const onward = new Set(later.flatMap(({ seen: found }) => (found && 'moved' in found ? found.moved : [])));
  const isLeft = (ip: string) => !onward.has(ip);
  const moved = [...seen.moved, ...[...seen.notMoved, ...seen.notVisible].filter((ip) => onward.has(ip))];
  return { ...seen, moved, notMoved: seen.notMoved.filter(isLeft), notVisible: seen.notVisible.filter(isLeft) };
}

interface CallOfOther extends JournaledCall {
  run: Run;
}

function callsOfOthers(runs: readonly Run[]): CallOfOther[] {
  const ofOthers = runs.filter(({ isOfOther }) => isOfOther);
  return ofOthers.flatMap((run) => run.calls.map((sent) => ({ ...sent, run })));
}

function mayHaveMoved(sent: JournaledCall): boolean {
  return outcomeOf(sent) !== 'refused';
}

/** Reports whether listings need not show yet what a call of another name did: this front cannot look it up. */
function mayBeUnseen(sent: CallOfOther, lagMs: number): boolean {
  const isOpen = openCalls({ calls: [sent] }).length > 0;
  return isOpen || ((sent.run.ageMs ?? 0) < lagMs && mayHaveMoved(sent));
}

/**
 * Returns the moves of a call of another name. That account may be another one, whose zones this key cannot list: its moves matter only if this
 * account has the same IP in the same zone.
 */
function movesOfOther(sent: CallOfOther): WithheldMove[] {
  const call = { acceptedAt: sent.answered?.at, by: `run ${shortRunId(sent.run)} of the account ${sent.run.account}` };
  return movesOf(sent.call).map(({ ip, from, to }) => ({ ...call, ip, from, to, isListed: true }));
}

/** Returns the moves of a call that the service accepted and that a look-up has not shown. `by` names the run or update that sent the call. */
export function unseenMoves(sent: SentCall<Call>, seen: SeenItems, by: string): WithheldMove[] {
  const flow = callTypeOf(sent.call).flow(sent.call);
  if (flow === undefined || outcomeOf({ ...sent, seen: { ...seen, at: sent.sentAt } }) !== 'accepted') return [];
  const { notMoved, notVisible } = seen;
  const move = { from: flow.from, to: flow.to, acceptedAt: sent.answered?.at, by };
  return [
    ...notMoved.map((ip) => ({ ...move, ip, isListed: true })),
    ...notVisible.map((ip) => ({ ...move, ip, isListed: false })),
  ];
}

/** Looks up open calls, each with its own type. A call that cannot be looked up is left out of the result. */
export async function lookUpOpen(
  open: readonly OpenCall<Call>[],
  views: Views,
  lagMs: number,
): Promise<ReadonlyMap<SentCall<unknown>, SeenItems>> {
  const found = new Map<SentCall<unknown>, SeenItems>();
  for (const [{ reconcile }, waiting] of Map.groupBy(open, ({ sent }) => callTypeOf(sent.call))) {
    for (const [sent, seen] of (await reconcile?.lookUp(waiting, views, lagMs)) ?? []) found.set(sent, seen);
  }
  return found;
}

export interface WithheldMove {
  ip: string;
  from: string;
  to: string;
  /** Undefined for a call without an answer. */
  acceptedAt: string | undefined;
  /** Names the run or update that sent it: `run 1a2b3c4d`. */
  by: string;
  /** False if no listing shows the IP, in neither of the zones. */
  isListed: boolean;
}

/**
 * Returns problems for calls that would send withheld moves again from the same zone, or would fill a count in place of an IP that is on its way to
 * the zone and in no listing.
 */
export function resendProblems(calls: readonly Call[], withheld: readonly WithheldMove[]): Problem[] {
  const moves = calls.flatMap(movesOf);
  const keys = new Set(moves.map(({ ip, from }) => moveKey(ip, from)));
  const counted = new Set(moves.filter(({ reason }) => reason === 'count').map(({ to }) => to));
  return withheldProblems(
    withheld.filter(({ ip, from, to, isListed }) => keys.has(moveKey(ip, from)) || (!isListed && counted.has(to))),
  );
}

/** Returns a problem for each call that sent these moves. */
export function withheldProblems(moves: readonly WithheldMove[]): Problem[] {
  const byCall = Map.groupBy(moves, ({ from, to, acceptedAt, by }) => JSON.stringify([from, to, acceptedAt, by]));
  return [...byCall.values()].flatMap((ofCall) => (ofCall[0] ? [acceptedUnseen(ofCall[0], ofCall)] : []));
}

function moveKey(ip: string, from: string): string {
  return `${ip} ${from}`;
}

const mostShown = 10;

function acceptedUnseen({ from, to, acceptedAt, by }: WithheldMove, moves: readonly WithheldMove[]): Problem {
  const shown = moves.slice(0, mostShown).map(({ ip }) => ip);
  const more = moves.length > mostShown ? `, and ${moves.length - mostShown} more` : '';
  const flow = `${counted(moves.length, 'IP')} from ${from} to ${to}`;
  const what = acceptedAt
    ? `moved ${flow}: the service accepted the call (${acceptedAt})`
    : `began to move ${flow}: no answer to the call is known`;
  return {
    code: 'accepted-unseen',
    found: `${by} ${what}, but no listing shows it: ${shown.join(', ')}${more}`,
    allowed,
    ...renderFix(
      ({ resend }) =>
        `wait and run it again, or ask the service; ${resend} sends the move again, which may be charged twice`,
    ),
  };
}
