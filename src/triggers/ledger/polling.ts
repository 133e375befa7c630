/** Claims jobs to poll, and records the answers. Polling twice costs nothing, so a poll claim needs no token. */
import { counted } from '../../diagnostics/valueWords.ts';
import type { ScheduledRun } from '../model.ts';
import { durationMs } from '../spec/timingSpec.ts';
import { type Database, type Queries, rowSet } from '../store/database.ts';
import { ledgerNow } from './now.ts';
import { type RunRow, runOf, unindexedState } from './rows.ts';
import { makeTransition } from './transition.ts';

/** When a polling server dies, another one takes over after this time. Meanwhile `overlap: skip` skips ticks. */
export const pollLeaseMs = 8000;

/** The polling interval that the specification suggests. */
export const pollMs = 5000;

/** The pause after an answer that is not about the job. */
const retryMs = 30_000;

/** For runs and schedules that were stored before `giveUpAfter` existed. */
const defaultGiveUpAfter = '1d';

export type PollAnswer =
  /** Not finished. `words` is the service's state of the job, if it is more specific than "building". */
  | { status: 'building'; words?: string | undefined; retryAfterMs?: number | undefined }
  /** `rows` is null if the result exists but its rows cannot be counted. */
  | { status: 'finished'; rows: number | null }
  | { status: 'expired' }
  | { status: 'failed'; text: string }
  /** There was no answer, or it is not about the job. */
  | { status: 'no-answer'; text: string; retryAfterMs?: number | undefined }
  /** The polling server was stopped before it had an answer. */
  | { status: 'released' };

/** Claims at most `free` polls, of all schedules or of `only` one. */
export function claimPolls(
  database: Database,
  free: number,
  only?: { owner: string; schedule: string },
): Promise<ScheduledRun[]> {
  return database.transaction(async (queries) => {
    const now = await ledgerNow(queries, database);
    const due = await queries.query<RunRow>(
      `SELECT * FROM runs WHERE state = 'running' AND poll_at <= ? ${only === undefined ? '' : 'AND owner = ? AND schedule = ?'}
       ORDER BY poll_at LIMIT ? ${database.dialect.skipLocked}`,
      [now, ...(only === undefined ? [] : [only.owner, only.schedule]), free],
    );
    if (due.length === 0) return [];
    const { rows, equals } = database.dialect;
    await queries.query(
      `UPDATE runs SET poll_at = ? FROM ${rows({ id: 'TEXT' })} WHERE ${equals('runs.id', 'it.id')}`,
      [now + pollLeaseMs, rowSet(due.map(({ id }) => ({ id })))],
    );
    return due.map(runOf);
  });
}

/** Extends the lease of a poll: reading a large result takes longer. */
export async function extendPollLease(database: Database, { id }: ScheduledRun): Promise<void> {
  const now = await ledgerNow(database, database);
  await database.query(`UPDATE runs SET poll_at = ? WHERE id = ? AND ${unindexedState} = 'running'`, [
    now + pollLeaseMs,
    id,
  ]);
}

/** Returns when to give up waiting for the result of a job that was accepted at `at`. */
export function giveUpAt(at: number, { giveUpAfter = defaultGiveUpAfter }: { giveUpAfter?: string }): number {
  return at + durationMs(giveUpAfter);
}

export function recordPoll(database: Database, { id }: ScheduledRun, answer: PollAnswer): Promise<void> {
  return database.transaction(async (queries) => {
    const now = await ledgerNow(queries, database);
    switch (answer.status) {
      case 'released':
        await queries.query(`UPDATE runs SET poll_at = ? WHERE id = ? AND ${unindexedState} = 'running'`, [now, id]);
        return;
      case 'building':
      case 'no-answer':
        return continueOrGiveUp(queries, id, answer, now);
      default:
        await makeTransition(queries, { run: id, from: ['running'], to: answer.status, at: now, ...endOf(answer) });
    }
  });
}

type Unfinished = Extract<PollAnswer, { status: 'building' | 'no-answer' }>;

/** Gives up only after an answer without a result: an existing result always counts, even if it is late. */
async function continueOrGiveUp(queries: Queries, run: string, answer: Unfinished, at: number): Promise<void> {
  const words = (answer.status === 'building' ? answer.words : answer.text) ?? null;
  const next = at + Math.max(answer.status === 'building' ? pollMs : retryMs, answer.retryAfterMs ?? 0);
  const [row] = await queries.query<Pick<RunRow, 'give_up_at' | 'triggered_at'>>(
    `UPDATE runs SET poll_at = ?, reason = ? WHERE id = ? AND ${unindexedState} = 'running' RETURNING give_up_at, triggered_at`,
    [next, words, run],
  );
  if (row === undefined) return;
  const until = row.give_up_at ?? giveUpAt(row.triggered_at ?? at, {});
  if (at < until) return;
  const text = `no result until ${new Date(until).toISOString()} (giveUpAfter). The job may still run and deliver. Last answer: ${words ?? 'building'}`;
  await makeTransition(queries, { run, from: ['running'], to: 'given-up', text, at });
}

function endOf(answer: Exclude<PollAnswer, Unfinished | { status: 'released' }>) {
  if (answer.status === 'failed') return { text: answer.text };
  if (answer.status === 'expired') return { text: 'the results expired before they were polled' };
  const { rows } = answer;
  const text = rows === null ? 'finished; the rows were not counted' : `finished with ${counted(rows, 'row')}`;
  return { text, set: { row_count: rows } };
}
