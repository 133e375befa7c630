/** Which jobs are to be polled, and what the answers were. Polling twice costs nothing, so a claim of a poll needs no token. */
import { counted } from '../../diagnostics/valueWords.ts';
import type { Run } from '../model.ts';
import { durationMs } from '../spec/timingSpec.ts';
import type { Database, Queries } from '../store/database.ts';
import { ledgerNow } from './now.ts';
import { type RunRow, runOf } from './rows.ts';
import { makeTransition } from './transition.ts';

/** Another server takes over this long after the server that polled died: `overlap: skip` drops ticks meanwhile. */
export const pollLeaseMs = 8000;

/** The interval that the specification suggests. */
export const pollMs = 5000;

/** After an answer that says nothing about the job. */
const againMs = 30_000;

/** Of runs and schedules that were stored before there was `giveUpAfter`. */
const defaultGiveUpAfter = '1d';

export type Polled =
  /** Not finished; `words` are the service's own, where they say more than that. */
  | { as: 'building'; words?: string | undefined; retryAfterMs?: number | undefined }
  /** `rows` is null where the result is there and its rows cannot be counted. */
  | { as: 'finished'; rows: number | null }
  | { as: 'expired' }
  | { as: 'failed'; text: string }
  /** The answer says nothing about the job, or there was none. */
  | { as: 'no-answer'; text: string; retryAfterMs?: number | undefined }
  /** The server that asked was stopped before it had an answer. */
  | { as: 'released' };

/** At most `free`, of all schedules or of `only` one. */
export function claimPolls(
  database: Database,
  free: number,
  only?: { owner: string; schedule: string },
): Promise<Run[]> {
  return database.transaction(async (queries) => {
    const now = await ledgerNow(queries, database);
    const due = await queries.query<RunRow>(
      `SELECT * FROM runs WHERE state = 'running' AND poll_at <= ? ${only === undefined ? '' : 'AND owner = ? AND schedule = ?'}
       ORDER BY poll_at LIMIT ${free} ${database.dialect.skipLocked}`,
      only === undefined ? [now] : [now, only.owner, only.schedule],
    );
    if (due.length === 0) return [];
    const ids = due.map(({ id }) => id);
    await queries.query(`UPDATE runs SET poll_at = ? WHERE id IN (${ids.map(() => '?').join(', ')})`, [
      now + pollLeaseMs,
      ...ids,
    ]);
    return due.map(runOf);
  });
}

/** Extends the lease: reading a large result takes longer. */
export async function keepPoll(database: Database, { id }: Run): Promise<void> {
  const now = await ledgerNow(database, database);
  await database.query(`UPDATE runs SET poll_at = ? WHERE id = ? AND state = 'running'`, [now + pollLeaseMs, id]);
}

/** When waiting for a job ends that is accepted now. */
export function giveUpAt(at: number, { giveUpAfter = defaultGiveUpAfter }: { giveUpAfter?: string }): number {
  return at + durationMs(giveUpAfter);
}

export function settlePoll(database: Database, { id }: Run, polled: Polled): Promise<void> {
  return database.transaction(async (queries) => {
    const now = await ledgerNow(queries, database);
    switch (polled.as) {
      case 'released':
        await queries.query(`UPDATE runs SET poll_at = ? WHERE id = ? AND state = 'running'`, [now, id]);
        return;
      case 'building':
      case 'no-answer':
        return goOnOrGiveUp(queries, id, polled, now);
      default:
        await makeTransition(queries, { run: id, from: ['running'], to: polled.as, at: now, ...ended(polled) });
    }
  });
}

type Unfinished = Extract<Polled, { as: 'building' | 'no-answer' }>;

/** Only after an answer without a result: a result that is there is never given up. */
async function goOnOrGiveUp(queries: Queries, run: string, polled: Unfinished, at: number): Promise<void> {
  const words = (polled.as === 'building' ? polled.words : polled.text) ?? null;
  const next = at + Math.max(polled.as === 'building' ? pollMs : againMs, polled.retryAfterMs ?? 0);
  const [row] = await queries.query<Pick<RunRow, 'give_up_at' | 'triggered_at'>>(
    `UPDATE runs SET poll_at = ?, reason = ? WHERE id = ? AND state = 'running' RETURNING give_up_at, triggered_at`,
    [next, words, run],
  );
  if (row === undefined) return;
  const until = row.give_up_at ?? giveUpAt(row.triggered_at ?? at, {});
  if (at < until) return;
  const text = `no result until ${new Date(until).toISOString()} (giveUpAfter). The job may still go on, and deliver. Last answer: ${words ?? 'building'}`;
  await makeTransition(queries, { run, from: ['running'], to: 'given-up', text, at });
}

function ended(polled: Exclude<Polled, Unfinished | { as: 'released' }>) {
  if (polled.as === 'failed') return { text: polled.text };
  if (polled.as === 'expired') return { text: 'its results were gone before they were seen' };
  const { rows } = polled;
  const text = rows === null ? 'finished; its rows were not counted' : `finished with ${counted(rows, 'row')}`;
  return { text, set: { row_count: rows } };
}
