/** What became of a request that was sent, and of a run that was accepted, as the ledger keeps it. */
import type { RunState } from '../model.ts';
import { type Database, type Queries, together } from '../store/database.ts';
import type { Claim } from './claiming.ts';
import { ledgerNow } from './now.ts';
import { giveUpAt, pollMs } from './polling.ts';
import { settleUnprepared } from './preparing.ts';
import { addAlert, addEvent, makeTransition } from './transition.ts';

/** The result of an attempt to trigger. */
export type Outcome =
  | { as: 'accepted'; collectionId: string }
  /**
   * It may be sent again, not before the time that the service asks for. It had no effect, unless it `isOpen`: then it was
   * answered 5xx, after which the specification asks for another attempt.
   */
  | { as: 'not-sent'; text: string; retryAfterMs?: number | undefined; isOpen?: boolean }
  | { as: 'refused'; text: string }
  /** Nothing was sent: what the request needs could not be had, and may be had later. */
  | { as: 'not-prepared'; text: string }
  /** Its answer was lost: it may have been accepted. */
  | { as: 'lost'; text: string };

export interface Settled {
  claim: Claim;
  outcome: Outcome;
}

/** After the attempts 1, 2 and 3, as the specification has it (Errors, 5xx). */
const backoffMs = [1000, 2000, 4000];

/** All in one commit. What each run became by it. */
export function settle(database: Database, settled: readonly Settled[]): Promise<RunState[]> {
  return database.transaction(async (queries) => {
    const now = await ledgerNow(queries, database);
    return together(settled, ({ claim, outcome }) => settleOne(queries, claim, outcome, now));
  });
}

async function settleOne(queries: Queries, claim: Claim, outcome: Outcome, at: number): Promise<RunState> {
  const { run, token } = claim;
  const change = { run: run.id, token, at };
  if (outcome.as === 'accepted') {
    await accept(queries, claim, outcome.collectionId, at);
    return 'running';
  }
  if (outcome.as === 'not-prepared') return settleUnprepared(queries, claim, outcome.text, at);
  const from: RunState[] = ['triggering', 'unknown'];
  if (outcome.as === 'lost') {
    await makeTransition(queries, { ...change, from: ['triggering'], to: 'unknown', text: outcome.text });
    return 'unknown';
  }
  const delay = outcome.as === 'not-sent' ? delayAfter(run.attempts, outcome.retryAfterMs) : undefined;
  if (delay === undefined || (await isRemoved(queries, run.id))) {
    await makeTransition(queries, { ...change, from, to: 'failed', text: outcome.text });
    return 'failed';
  }
  const text = `${outcome.text}; again in ${Math.ceil(delay / 1000)} s`;
  const set = {
    token: null,
    lease_until: null,
    not_before: at + delay,
    preparing: 0,
    unprepared: 0,
    unprepared_at: null,
  };
  await makeTransition(queries, { ...change, from, to: 'waiting', text, set });
  return 'waiting';
}

/** Undefined after the last attempt. */
function delayAfter(attempts: number, retryAfterMs = 0): number | undefined {
  const usual = backoffMs[attempts - 1];
  return usual === undefined ? undefined : Math.max(usual, retryAfterMs);
}

async function isRemoved(queries: Queries, run: string): Promise<boolean> {
  const rows = await queries.query(
    'SELECT r.id FROM runs r WHERE r.id = ? AND NOT EXISTS (SELECT 1 FROM schedules s WHERE s.id = r.schedule_id)',
    [run],
  );
  return rows.length > 0;
}

/** An answer may come late: after the lease ran out, or after a person gave the run up. It is true all the same. */
async function accept(queries: Queries, claim: Claim, collectionId: string, at: number): Promise<void> {
  const { run, token, spec, lateAfterMs } = claim;
  const late = at - run.tickAt > lateAfterMs ? 1 : 0;
  const set = {
    collection_id: collectionId,
    triggered_at: at,
    poll_at: at + pollMs,
    give_up_at: giveUpAt(at, spec),
    ended_at: null,
    late,
  };
  const text = `triggered: ${collectionId}`;
  const change = { run: run.id, token, to: 'running', text, at } as const;
  const isAccepted =
    (await makeTransition(queries, { ...change, from: ['triggering'], set })) ||
    // Meanwhile another run of the schedule may have been let through. One that a person wants sent again need not be.
    (await makeTransition(queries, { ...change, from: ['unknown', 'lost', 'waiting'], set: { ...set, exclusive: 0 } }));
  if (!isAccepted) return noteLate(queries, run.id, collectionId, at);
  if (late === 1) await addAlert(queries, run.id, 'late', at);
  if (spec.overlap === 'cancel') await cancelOthers(queries, run.id, at);
}

/** Nothing where it is known already: whoever got no answer to a commit writes the same again. */
async function noteLate(queries: Queries, run: string, collectionId: string, at: number): Promise<void> {
  const [row] = await queries.query<{ state: RunState; collection_id: string | null }>(
    'SELECT state, collection_id FROM runs WHERE id = ?',
    [run],
  );
  if (row === undefined || row.collection_id === collectionId) return;
  const text = `an earlier attempt was accepted after all, as ${collectionId}`;
  await addEvent(queries, { run, at, state: row.state, text });
}

async function cancelOthers(queries: Queries, run: string, at: number): Promise<void> {
  const others = await queries.query<{ id: string }>(
    `SELECT id FROM runs WHERE schedule_id = (SELECT schedule_id FROM runs WHERE id = ?) AND state = 'running' AND id <> ?`,
    [run, run],
  );
  const text = `cancelled by the run ${run} (overlap: cancel)`;
  await together(others, ({ id }) =>
    makeTransition(queries, { run: id, from: ['running'], to: 'cancelled', text, at }),
  );
}
