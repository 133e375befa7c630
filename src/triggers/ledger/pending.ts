/** What there is to do at this moment: one question, so that an idle server hardly asks any. */
import type { Database } from '../store/database.ts';
import { ledgerNow } from './now.ts';
import { addAlert, addEvent } from './transition.ts';

export interface Pending {
  ticks: boolean;
  waiting: boolean;
  polls: boolean;
  leases: boolean;
  late: boolean;
  alerts: boolean;
  /** Until the next tick of any schedule; undefined where none is to come. */
  nextTickInMs: number | undefined;
}

type Row = Record<'waiting' | 'polls' | 'leases' | 'late' | 'alerts', number> & { next_at: number | null };

export async function pendingWork(database: Database): Promise<Pending> {
  const now = await ledgerNow(database, database);
  const exists = (from: string) => `CASE WHEN EXISTS (SELECT 1 FROM ${from}) THEN 1 ELSE 0 END`;
  const [row] = await database.query<Row>(
    `SELECT (SELECT MIN(next_at) FROM schedules WHERE paused = 0) AS next_at,
       ${exists(`runs WHERE state = 'waiting' AND not_before <= ?`)} AS waiting,
       ${exists(`runs WHERE state = 'running' AND poll_at <= ?`)} AS polls,
       ${exists(`runs WHERE state = 'triggering' AND lease_until < ?`)} AS leases,
       ${exists(`runs WHERE state = 'waiting' AND late = 0 AND tick_at + late_after < ?`)} AS late,
       ${exists('alerts WHERE sent_at IS NULL AND send_at <= ?')} AS alerts`,
    [now, now, now, now, now],
  );
  const next = row?.next_at ?? undefined;
  return {
    ticks: next !== undefined && next <= now,
    waiting: row?.waiting === 1,
    polls: row?.polls === 1,
    leases: row?.leases === 1,
    late: row?.late === 1,
    alerts: row?.alerts === 1,
    nextTickInMs: next === undefined ? undefined : Math.max(0, next - now),
  };
}

/** Runs that wait longer than their schedule allows. */
export function flagLate(database: Database): Promise<number> {
  return database.transaction(async (queries) => {
    const at = await ledgerNow(queries, database);
    const late = await queries.query<{ id: string }>(
      `UPDATE runs SET late = 1 WHERE state = 'waiting' AND late = 0 AND tick_at + late_after < ? RETURNING id`,
      [at],
    );
    for (const { id } of late) {
      await addEvent(queries, { run: id, at, state: 'waiting', text: 'late: it still waits for its turn' });
      await addAlert(queries, id, 'late', at);
    }
    return late.length;
  });
}

export interface Retention {
  eventsMs: number;
  runsMs: number;
}

/** Forgets what ended long ago, a part at a time. The cursors of the schedules are past it, so nothing fires again. */
export async function forgetOld(database: Database, { eventsMs, runsMs }: Retention): Promise<void> {
  const now = await ledgerNow(database, database);
  const part = 'LIMIT 5000';
  await database.query(`DELETE FROM events WHERE id IN (SELECT id FROM events WHERE at < ? ORDER BY at ${part})`, [
    now - eventsMs,
  ]);
  await database.query(
    `DELETE FROM runs WHERE id IN (SELECT id FROM runs WHERE ended_at < ? ORDER BY ended_at ${part})`,
    [now - runsMs],
  );
  await database.query(`DELETE FROM alerts WHERE run_id NOT IN (SELECT id FROM runs) AND sent_at < ?`, [
    now - eventsMs,
  ]);
}
