/** Records the outcomes of requests to trigger. */
import type { RunState } from '../api/runs.ts';
import { type Database, inParallel, type Queries } from '../store/database.ts';
import type { Claim } from './claiming.ts';
import { ledgerNow } from './now.ts';
import { giveUpAt, pollMs } from './polling.ts';
import { recordUnprepared } from './preparing.ts';
import { specOfRun } from './schedules.ts';
import { addAlerts, addEvents, makeTransition, makeTransitions, type Transition } from './transition.ts';

/** The result of an attempt to trigger. */
export type TriggerOutcome =
  | { status: 'accepted'; collectionId: string }
  /**
   * May be sent again, but not before the time that the service asks for. The request had no effect, unless `mayBeAccepted`: then the
   * answer was 5xx, for which the specification asks for another attempt.
   */
  | { status: 'not-sent'; text: string; retryAfterMs?: number | undefined; mayBeAccepted?: boolean }
  | { status: 'refused'; text: string }
  /** Nothing was sent: something that the request needs is missing, and may be available later. */
  | { status: 'not-prepared'; text: string }
  /** The answer was lost: the service may have accepted the request. */
  | { status: 'lost'; text: string };

export interface ClaimOutcome {
  claim: Claim;
  outcome: TriggerOutcome;
}

/** The pauses after attempts 1, 2 and 3 (specification, Errors, 5xx). */
const backoffMs = [1000, 2000, 4000];

/** Records all outcomes in one commit, and returns the new state of each run. */
export function recordOutcomes(database: Database, all: readonly ClaimOutcome[]): Promise<RunState[]> {
  return database.transaction(async (queries) => {
    const now = await ledgerNow(queries);
    const accepted = all.flatMap(({ claim, outcome }) =>
      outcome.status === 'accepted' ? [{ ...claim, collectionId: outcome.collectionId }] : [],
    );
    await acceptAll(queries, accepted, now);
    return inParallel(all, async ({ claim, outcome }) =>
      outcome.status === 'accepted' ? 'running' : recordFailure(queries, claim, outcome, now),
    );
  });
}

type Failure = Exclude<TriggerOutcome, { status: 'accepted' }>;

async function recordFailure(queries: Queries, claim: Claim, outcome: Failure, at: number): Promise<RunState> {
  const { run, token } = claim;
  const change = { run: run.id, token, at };
  if (outcome.status === 'not-prepared') return recordUnprepared(queries, claim, outcome.text, at);
  const from: RunState[] = ['triggering', 'unknown'];
  if (outcome.status === 'lost') {
    await makeTransition(queries, { ...change, from: ['triggering'], to: 'unknown', text: outcome.text });
    return 'unknown';
  }
  const delay = outcome.status === 'not-sent' ? delayAfter(run.attempts, outcome.retryAfterMs) : undefined;
  if (delay === undefined || (await specOfRun(queries, run.id)) === undefined) {
    await makeTransition(queries, { ...change, from, to: 'failed', text: outcome.text });
    return 'failed';
  }
  const text = `${outcome.text}; next attempt in ${Math.ceil(delay / 1000)} s`;
  const set = { token: null, lease_until: null, not_before: at + delay, unprepared_at: null };
  await makeTransition(queries, { ...change, from, to: 'waiting', text, set });
  return 'waiting';
}

/** A schedule does not stand still for longer, even if the service asks for more. */
const longestRetryAfterMs = 60_000;

/** Returns undefined after the last attempt. */
function delayAfter(attempts: number, retryAfterMs = 0): number | undefined {
  const usual = backoffMs[attempts - 1];
  return usual === undefined ? undefined : Math.max(usual, Math.min(retryAfterMs, longestRetryAfterMs));
}

type Accepted = Claim & { collectionId: string };

/** Accepts late answers too: the lease may have run out, or a person may have declared the run lost. */
async function acceptAll(queries: Queries, accepted: readonly Accepted[], at: number): Promise<void> {
  const changes = accepted.map((each) => acceptance(each, at));
  const isMade = await makeTransitions(queries, changes);
  const late = accepted.filter((_, index) => !isMade[index]);
  // Not exclusive, because another run of the schedule may be active by now. `waiting` is a run that a person ordered again: its job
  // exists, so it is not sent again.
  const again = late.map((each): Transition => {
    const change = acceptance(each, at);
    return { ...change, from: ['unknown', 'lost', 'waiting'], set: { ...change.set, exclusive: 0 } };
  });
  const isMadeLate = await makeTransitions(queries, again);
  const lost = late.filter((_, index) => !isMadeLate[index]);
  await inParallel(lost, ({ run, collectionId }) => noteLate(queries, run.id, collectionId, at));
  const running = accepted.filter((each) => !lost.includes(each));
  const overdue = running.filter((each) => isLate(each, at));
  await addAlerts(
    queries,
    overdue.map(({ run }) => ({ run: run.id, why: 'late', at })),
  );
  const cancelling = running.filter(({ spec }) => spec.overlap === 'cancel' && spec.dataset === undefined);
  await inParallel(cancelling, async ({ run }) => recordCancelled(queries, await earlierRuns(queries, run.id), run.id));
}

function acceptance(accepted: Accepted, at: number): Transition {
  const { run, token, spec, collectionId } = accepted;
  const set = {
    collection_id: collectionId,
    triggered_at: at,
    poll_at: at + pollMs,
    give_up_at: giveUpAt(at, spec),
    ended_at: null,
    late: isLate(accepted, at) ? 1 : 0,
  };
  return { run: run.id, token, from: ['triggering'], to: 'running', text: `triggered: ${collectionId}`, at, set };
}

function isLate({ run, lateAfterMs }: Claim, at: number): boolean {
  return at - run.tickAt > lateAfterMs;
}

/** Adds an event, unless the id is already recorded: a server that got no answer to its commit writes the outcome again. */
async function noteLate(queries: Queries, run: string, collectionId: string, at: number): Promise<void> {
  const [row] = await queries.query<{ state: RunState; collection_id: string | null }>(
    'SELECT state, collection_id FROM runs WHERE id = ?',
    [run],
  );
  if (row === undefined || row.collection_id === collectionId) return;
  const text = `an earlier attempt was accepted as ${collectionId}`;
  await addEvents(queries, [{ run, at, state: row.state, text }]);
}

/** Returns the running runs of the same schedule whose tick was before that of a run. */
export function earlierRuns(queries: Queries, run: string): Promise<{ id: string; collection_id: string }[]> {
  return queries.query(
    `SELECT r.id AS id, r.collection_id AS collection_id FROM runs it
     JOIN runs r ON r.schedule_id = it.schedule_id AND r.tick_at < it.tick_at
     WHERE it.id = ? AND r.state = 'running'`,
    [run],
  );
}

export async function recordCancelled(queries: Queries, runs: readonly { id: string }[], by: string): Promise<void> {
  const at = await ledgerNow(queries);
  const text = `cancelled by the run ${by} (overlap: cancel)`;
  await makeTransitions(
    queries,
    runs.map(({ id }) => ({ run: id, from: ['running'], to: 'cancelled', text, at })),
  );
}
