/**
 * Notices that PostgreSQL has failed over. A replica that lagged has lost the last commits, and with them claims whose triggers were sent:
 * what is due at that moment may have been sent, so it becomes unknown and is not fired.
 */
import { replicationRisk, timelineOf } from '../../base/drivers/replication.ts';
import type { Database, Queries } from '../store/database.ts';
import { ledgerNow } from './now.ts';
import { tickDue } from './ticking.ts';
import { makeTransitions } from './transition.ts';

/** Returns whether the database has failed over since any server looked; then everything that was due is unknown now. */
export async function handleFailover(database: Database): Promise<boolean> {
  const timeline = database.dialect.name === 'postgres' ? await timelineOf(database.query) : undefined;
  if (timeline === undefined || (await storedTimeline(database)) === timeline) return false;
  const isOther = await database.transaction(async (queries) => {
    await queries.query(`INSERT INTO meta (key, value) VALUES ('timeline', ?) ON CONFLICT (key) DO NOTHING`, [
      timeline,
    ]);
    const stored = await storedTimeline(queries, queries.dialect.lock);
    if (stored === timeline) return false;
    await queries.query(`UPDATE meta SET value = ? WHERE key = 'timeline'`, [timeline]);
    await forgetWaiting(queries);
    return true;
  });
  if (isOther) while ((await tickDue(database, failedOver)).more);
  return isOther;
}

const failedOver =
  'outcome unknown: the database has failed over and may have lost the record of a trigger that was sent';

async function storedTimeline(queries: Queries, lock = ''): Promise<number | undefined> {
  const [row] = await queries.query<{ value: number }>(`SELECT value FROM meta WHERE key = 'timeline' ${lock}`);
  return row?.value;
}

/** A run that waits may have been claimed and sent in the commits that are lost. */
async function forgetWaiting(queries: Queries): Promise<void> {
  const at = await ledgerNow(queries);
  const waiting = await queries.query<{ id: string }>(
    `SELECT id FROM runs WHERE state = 'waiting' AND not_before <= ?`,
    [at],
  );
  await makeTransitions(
    queries,
    waiting.map(({ id }) => ({ run: id, from: ['waiting'], to: 'unknown', text: failedOver, at })),
  );
}

/** Returns why a failover of the store could lose commits; undefined if it shows nothing wrong. */
export async function replicationNote({
  dialect,
  query,
}: Pick<Database, 'dialect' | 'query'>): Promise<string | undefined> {
  return dialect.name === 'postgres' ? replicationRisk(query) : undefined;
}
