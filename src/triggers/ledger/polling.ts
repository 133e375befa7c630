/** Claims jobs to poll, and records the answers. Polling twice costs nothing, so a poll claim needs no token. */
import { counted } from '../../base/diagnostics/valueWords.ts';
import type { ScheduledRun } from '../api/runs.ts';
import type { Keep } from '../declared/scheduleSpec.ts';
import { durationMs } from '../declared/timingSpec.ts';
import { type Database, type Queries, rowSet } from '../store/database.ts';
import { ledgerNow } from './now.ts';
import { type RunRow, runOf, unindexedState } from './rows.ts';
import { makeTransitions, type Transition } from './transition.ts';

/** When a polling server dies, another one takes over after this time. Meanwhile `overlap: skip` skips ticks. */
export const pollLeaseMs = 8000;

/** The polling interval that the specification suggests. */
export const pollMs = 5000;

/** The pause after an answer that is not about the job. */
const retryMs = 30_000;

/** The longest pause after rows that could not be written. */
const longestUnkeptMs = 15 * 60_000;

/** The longest pause that an answer can ask for. */
const longestAskedMs = 60 * 60_000;

/** For runs of a deleted schedule. */
const defaultGiveUpAfter = '1d';

export type PollAnswer =
  /** Not finished. `words` is the service's state of the job, if it is more specific than "building". */
  | { status: 'building'; words?: string | undefined; retryAfterMs?: number | undefined }
  /** `rows` is null if the result exists but its rows cannot be counted. `few` says that they are fewer than expected, and how many that is. */
  | { status: 'finished'; rows: number | null; kept?: string | undefined; few?: string | undefined }
  /** The result exists, and its rows could not be written. */
  | { status: 'unkept'; text: string }
  | { status: 'expired' }
  | { status: 'failed'; text: string }
  /** The service does not know the job, although it accepted it. Final once two answers in a row say so: one may come from a gateway. */
  | { status: 'missing'; text: string }
  /** The service knows the job under no route: a person has to look. */
  | { status: 'given-up'; text: string }
  /** There was no answer, or it is not about the job. */
  | { status: 'no-answer'; text: string; retryAfterMs?: number | undefined }
  /** The polling server was stopped before it had an answer. */
  | { status: 'released' };

export interface PollClaim extends ScheduledRun {
  /** The place for its rows. */
  keep: Keep | undefined;
  /** True if the service did not know the job at the last poll. */
  isMissing: boolean;
}

/** Claims at most `free` polls. */
export function claimPolls(database: Database, free: number): Promise<PollClaim[]> {
  return database.transaction(async (queries) => {
    const now = await ledgerNow(queries);
    const due = await queries.query<RunRow>(
      `SELECT * FROM runs WHERE state IN ('running', 'unkept') AND poll_at <= ?
       ORDER BY poll_at LIMIT ? ${database.dialect.skipLocked}`,
      [now, free],
    );
    if (due.length === 0) return [];
    const { rows, equals } = database.dialect;
    await queries.query(
      `UPDATE runs SET poll_at = ? FROM ${rows({ id: 'TEXT' })} WHERE ${equals('runs.id', 'it.id')}`,
      [now + pollLeaseMs, rowSet(due.map(({ id }) => ({ id })))],
    );
    return due.map((row) => ({
      ...runOf(row),
      keep: row.keep === null ? undefined : JSON.parse(row.keep),
      isMissing: row.missing === 1,
    }));
  });
}

/** Extends the lease of a poll: reading a large result takes longer. */
export async function extendPollLease(database: Database, { id }: ScheduledRun): Promise<void> {
  const now = await ledgerNow(database);
  await database.query(`UPDATE runs SET poll_at = ? WHERE id = ? AND ${unindexedState} IN ('running', 'unkept')`, [
    now + pollLeaseMs,
    id,
  ]);
}

/** Returns when to give up waiting for the result of a job that was accepted at `at`. */
export function giveUpAt(at: number, { giveUpAfter = defaultGiveUpAfter }: { giveUpAfter?: string }): number {
  return at + durationMs(giveUpAfter);
}

export interface PolledRun<Answer = PollAnswer> {
  run: ScheduledRun;
  answer: Answer;
}

/** Records all answers in one commit. Returns for each of them whether the run was still running. */
export function recordPolls(database: Database, polled: readonly PolledRun[]): Promise<boolean[]> {
  return database.transaction(async (queries) => {
    const now = await ledgerNow(queries);
    const unfinished = polled.filter(isUnfinished);
    await notKept(queries, unfinished, now);
    const giveUpTimes = await pollLater(queries, unfinished, now);
    const ends = [
      ...polled.flatMap((each) => (isUnfinished(each) ? [] : [endOf(each as PolledRun<FinalAnswer>, now)])),
      ...unfinished.flatMap((each) => givingUp(each, giveUpTimes.get(each.run.id), now) ?? []),
    ];
    const isMade = await makeTransitions(queries, ends);
    const changed = new Set([...giveUpTimes.keys(), ...ends.filter((_, index) => isMade[index]).map(({ run }) => run)]);
    return polled.map(({ run }) => changed.has(run.id));
  });
}

const unfinishedAnswers = ['building', 'no-answer', 'missing', 'released', 'unkept'] as const;

type UnfinishedAnswer = Extract<PollAnswer, { status: (typeof unfinishedAnswers)[number] }>;
type FinalAnswer = Exclude<PollAnswer, UnfinishedAnswer>;

function isUnfinished(polled: PolledRun): polled is PolledRun<UnfinishedAnswer> {
  return unfinishedAnswers.some((status) => status === polled.answer.status);
}

/** The rows stay at the service: the run waits for its place, which no later tick waits for, and an alert is sent. */
async function notKept(queries: Queries, polled: readonly PolledRun<UnfinishedAnswer>[], at: number): Promise<void> {
  const changes = polled.flatMap(({ run, answer }): Transition[] =>
    answer.status === 'unkept' ? [{ run: run.id, from: ['running'], to: 'unkept', text: answer.text, at }] : [],
  );
  await makeTransitions(queries, changes);
}

/** Returns the times to give up the runs that are still running, by run. */
async function pollLater(
  queries: Queries,
  polled: readonly PolledRun<UnfinishedAnswer>[],
  at: number,
): Promise<ReadonlyMap<string, number>> {
  if (polled.length === 0) return new Map();
  const { rows, equals } = queries.dialect;
  const changes = polled.map(({ run, answer }) => ({
    run: run.id,
    poll_at: Math.round(at + delayAfter(run, answer, at)),
    reason: wordsOf(run, answer),
    // Null leaves it as it is.
    missing: answer.status === 'released' ? null : Number(answer.status === 'missing'),
  }));
  const later = await queries.query<{ id: string; give_up_at: number }>(
    `UPDATE runs SET poll_at = it.poll_at, reason = it.reason, missing = COALESCE(it.missing, runs.missing)
     FROM ${rows({ run: 'TEXT', poll_at: 'BIGINT', reason: 'TEXT', missing: 'BIGINT' })}
     WHERE ${equals('runs.id', 'it.run')} AND ${unindexedState} IN ('running', 'unkept')
     RETURNING runs.id AS id, runs.give_up_at AS give_up_at`,
    [rowSet(changes)],
  );
  return new Map(later.map(({ id, give_up_at }) => [id, give_up_at]));
}

function delayAfter(run: ScheduledRun, answer: UnfinishedAnswer, at: number): number {
  if (answer.status === 'released') return 0;
  const askedMs = Math.min(('retryAfterMs' in answer ? answer.retryAfterMs : 0) ?? 0, longestAskedMs);
  // A large result is read again each time, so an old one is read less often.
  if (answer.status === 'unkept')
    return Math.min(Math.max((at - (run.triggeredAt ?? at)) / 10, retryMs), longestUnkeptMs);
  return Math.max(answer.status === 'building' ? pollMs : retryMs, askedMs);
}

function wordsOf({ reason }: ScheduledRun, answer: UnfinishedAnswer): string | null {
  if (answer.status === 'released') return reason;
  return (answer.status === 'building' ? answer.words : answer.text) ?? null;
}

/** Gives up only after an answer without a result: an existing result always counts, even if it is late. */
function givingUp(
  { run, answer }: PolledRun<UnfinishedAnswer>,
  until: number | undefined,
  at: number,
): Transition | undefined {
  if (until === undefined || at < until || answer.status === 'released') return undefined;
  const text = `no result until ${new Date(until).toISOString()} (giveUpAfter). The job may still run and deliver. Last answer: ${wordsOf(run, answer) ?? 'building'}`;
  return { run: run.id, from: ['running'], to: 'given-up', text, at };
}

function endOf({ run: { id: run }, answer }: PolledRun<FinalAnswer>, at: number): Transition {
  const end = { run, from: ['running', 'unkept'], to: answer.status, at } as const;
  if (answer.status === 'failed' || answer.status === 'given-up') return { ...end, text: answer.text };
  if (answer.status === 'expired') return { ...end, text: 'the results expired before they were read' };
  const { rows, kept = null, few } = answer;
  const finished = rows === null ? 'finished; the rows were not counted' : `finished with ${counted(rows, 'row')}`;
  const text = [finished, ...(few === undefined ? [] : [few]), ...(kept === null ? [] : [`kept in ${kept}`])].join(
    ', ',
  );
  return { ...end, to: few === undefined ? 'finished' : 'few-rows', text, set: { row_count: rows, kept } };
}
