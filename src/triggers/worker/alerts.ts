/** Tells of runs that failed, are late, or are unknown: a POST to whoever the schedule names, until it is taken. */
import { isMapValue } from '../../input/plain.ts';
import { ledgerNow } from '../ledger/now.ts';
import { type RunRow, runOf } from '../ledger/rows.ts';
import type { ScheduleSpec } from '../scheduleSpec.ts';
import type { Sealer } from '../secrets.ts';
import type { Database } from '../store/database.ts';

interface AlertRow {
  alert: number;
  why: 'failed' | 'unknown' | 'late';
  tries: number;
  spec: string | null;
}

type DueAlert = AlertRow & RunRow;

const timeoutMs = 10_000;

/** Then it is given up: the page and the metrics show the run all the same. */
const mostTries = 6;

const leaseMs = 60_000;

/** Says how many were not taken. At least once: who dies after sending and before writing it down is followed by one that sends it again. */
export async function sendAlerts(database: Database, sealer: Sealer, signal: AbortSignal): Promise<number> {
  const due = await claimAlerts(database);
  const taken = await Promise.all(
    due.map(async (alert) => {
      const isDone = await sendAlert(alert, sealer, signal).catch(() => false);
      const now = await ledgerNow(database, database);
      if (isDone) await database.query('UPDATE alerts SET sent_at = ? WHERE id = ?', [now, alert.alert]);
      return isDone;
    }),
  );
  return taken.filter((isDone) => !isDone).length;
}

function claimAlerts(database: Database): Promise<DueAlert[]> {
  return database.transaction(async (queries) => {
    const now = await ledgerNow(queries, database);
    const due = await queries.query<{ id: number; attempts: number }>(
      `SELECT id, attempts FROM alerts WHERE sent_at IS NULL AND send_at <= ? ORDER BY send_at LIMIT 20 ${database.dialect.skipLocked}`,
      [now],
    );
    for (const { id, attempts } of due) {
      const later = now + leaseMs * 2 ** attempts;
      const isLast = attempts + 1 >= mostTries;
      await queries.query('UPDATE alerts SET attempts = ?, send_at = ?, sent_at = ? WHERE id = ?', [
        attempts + 1,
        later,
        isLast ? now : null,
        id,
      ]);
    }
    if (due.length === 0) return [];
    return queries.query<DueAlert>(
      `SELECT r.*, a.id AS alert, a.why AS why, a.attempts AS tries, s.brief AS spec
       FROM alerts a JOIN runs r ON r.id = a.run_id LEFT JOIN schedules s ON s.id = r.schedule_id
       WHERE a.id IN (${due.map(() => '?').join(', ')})`,
      due.map(({ id }) => id),
    );
  });
}

/** Whether there is nothing more to do. */
async function sendAlert({ spec, why, ...row }: DueAlert, sealer: Sealer, signal: AbortSignal): Promise<boolean> {
  const alerts = spec === null ? undefined : (JSON.parse(spec) as ScheduleSpec).alerts;
  if (!isMapValue(alerts) || !alerts.on.includes(why)) return true;
  const endpoint = String(sealer.open(alerts.endpoint));
  const { owner, schedule, id, tickAt, state, reason, collectionId } = runOf(row);
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      why,
      owner,
      schedule,
      run: id,
      tickAt: new Date(tickAt).toISOString(),
      state,
      reason,
      collectionId,
    }),
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  await response.body?.cancel();
  return response.ok;
}
