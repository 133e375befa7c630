/** Which runs are to be asked about, and what came of it. Asking twice does no harm, so a claim of a poll needs no token. */
import type { Run } from '../model.ts';
import type { Database } from '../store/database.ts';
import { ledgerNow } from './now.ts';
import { pollMs } from './outcomes.ts';
import { type RunRow, runOf } from './rows.ts';
import { makeTransition } from './transition.ts';

/** Whoever asks and dies is followed by another after this time. */
export const pollLeaseMs = 2 * 60_000;

/** After an answer that may be another one later. */
const againMs = 30_000;

export type Polled =
  | { as: 'building' }
  | { as: 'finished'; rows: number }
  | { as: 'expired' }
  | { as: 'failed'; text: string }
  | { as: 'no-answer'; text: string };

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

/** Goes on asking: reading a large result may take longer than the others wait. */
export async function keepPoll(database: Database, { id }: Run): Promise<void> {
  const now = await ledgerNow(database, database);
  await database.query(`UPDATE runs SET poll_at = ? WHERE id = ? AND state = 'running'`, [now + pollLeaseMs, id]);
}

export function settlePoll(database: Database, { id }: Run, polled: Polled): Promise<void> {
  return database.transaction(async (queries) => {
    const now = await ledgerNow(queries, database);
    if (polled.as === 'building' || polled.as === 'no-answer') {
      const next = now + (polled.as === 'building' ? pollMs : againMs);
      await queries.query(`UPDATE runs SET poll_at = ? WHERE id = ? AND state = 'running'`, [next, id]);
      return;
    }
    const rows = polled.as === 'finished' ? polled.rows : null;
    const text = polled.as === 'failed' ? polled.text : ended(polled);
    await makeTransition(queries, {
      run: id,
      from: ['running'],
      to: polled.as,
      text,
      at: now,
      set: { row_count: rows },
    });
  });
}

function ended(polled: { as: 'finished'; rows: number } | { as: 'expired' }): string {
  if (polled.as === 'finished') return `finished with ${polled.rows} ${polled.rows === 1 ? 'row' : 'rows'}`;
  return 'its results were gone before they were seen';
}
