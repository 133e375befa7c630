/**
 * Repairs a ledger whose clock was ahead and has been corrected. Everything that was stored in the future counts as now: otherwise
 * schedules, retries and leases would wait until the wrong time comes. A tick that was sent keeps its run, so it is not sent again.
 */
import { utcTime } from '../../base/values/utcTime.ts';
import { timingOf } from '../declared/scheduleSpec.ts';
import { type Database, type Queries, rowSet } from '../store/database.ts';
import { nextTick } from '../timing/timing.ts';
import { graceMs } from './dueTicks.ts';
import { leaseMs } from './leases.ts';
import { ledgerNow } from './now.ts';
import { briefColumns } from './rows.ts';
import { insertRuns, type TickingSchedule } from './ticking.ts';
import { addAlerts } from './transition.ts';

/** A clock that was ahead by less has fired ticks early, and has missed none. */
const toleranceMs = graceMs;

/** Schedules per transaction. */
const batch = 100;

export interface ClockCorrection {
  /** The latest time that the wrong clock has recorded. */
  recordedUntil: number;
  /** The number of schedules that had been silenced. */
  schedules: number;
}

/** Returns undefined if the clock was not ahead: then it only looks into two indexes. */
export async function correctClock(database: Database): Promise<ClockCorrection | undefined> {
  const now = await ledgerNow(database);
  const [latest] = await database.query<LatestRecords>(`SELECT ${latestRecords}`);
  if (latest === undefined || !isClockAhead(latest, now)) return undefined;
  let schedules = 0;
  for (let count = batch; count === batch; schedules += count) count = await resumeSchedules(database);
  await database.transaction(resetRecords);
  return { recordedUntil: Math.max(latest.cursor, latest.event), schedules };
}

export interface LatestRecords {
  cursor: number;
  event: number;
}

/** The columns of `LatestRecords`. */
export const latestRecords = `COALESCE((SELECT cursor_at FROM schedules WHERE paused = 0 ORDER BY cursor_at DESC LIMIT 1), 0) AS cursor,
  COALESCE((SELECT at FROM events ORDER BY at DESC LIMIT 1), 0) AS event`;

export function isClockAhead({ cursor, event }: LatestRecords, now: number): boolean {
  return Math.max(cursor, event) > now + toleranceMs;
}

/** Lets silenced schedules tick again after now. A skipped run in the history of each shows the gap. */
function resumeSchedules(database: Database): Promise<number> {
  return database.transaction(async (queries) => {
    const now = await ledgerNow(queries);
    const silenced = await queries.query<TickingSchedule>(
      `SELECT ${briefColumns} FROM schedules WHERE paused = 0 AND cursor_at > ?
       ORDER BY cursor_at DESC LIMIT ${batch} ${database.dialect.skipLocked}`,
      [now + toleranceMs],
    );
    if (silenced.length === 0) return 0;
    await queries.query(
      `UPDATE schedules SET cursor_at = it.cursor_at, next_at = it.next_at
       FROM ${queries.dialect.rows({ id: 'TEXT', cursor_at: 'BIGINT', next_at: 'BIGINT' })}
       WHERE ${queries.dialect.equals('schedules.id', 'it.id')}`,
      [rowSet(silenced.map(({ id, spec }) => ({ id, cursor_at: now, next_at: nextOf(spec, now) })))],
    );
    const notices = silenced.map(
      (schedule) =>
        ({ schedule, tickAt: now, origin: 'tick', at: now, state: 'skipped', text: gap(schedule) }) as const,
    );
    const ids = (await insertRuns(queries, notices)).filter((id) => id !== undefined);
    await addAlerts(
      queries,
      ids.map((run) => ({ run, why: 'late', at: now })),
    );
    return silenced.length;
  });
}

function gap({ cursor_at }: TickingSchedule): string {
  const until = utcTime(new Date(cursor_at).toISOString());
  return `the clock of the store was ahead and had decided the ticks until ${until}. It has been corrected: ticks after this moment fire again`;
}

/** A schedule whose ticks cannot be computed is due at once: `tickDue` reports it. */
function nextOf(spec: string, now: number): number | null {
  try {
    return nextTick(timingOf(JSON.parse(spec)), now) ?? null;
  } catch {
    return now;
  }
}

async function resetRecords(queries: Queries): Promise<void> {
  const now = await ledgerNow(queries);
  await forgetUnsent(queries, now);
  for (const { table, columns, where } of futureTimes) {
    const set = columns.map((column) => `${column} = CASE WHEN ${column} > ? THEN ? ELSE ${column} END`);
    await queries.query(`UPDATE ${table} SET ${set.join(', ')} WHERE ${where}`, [
      ...columns.flatMap(() => [now, now]),
      now,
    ]);
  }
  await queries.query(
    `UPDATE runs SET give_up_at = give_up_at - (triggered_at - ?), triggered_at = ? WHERE state = 'running' AND triggered_at > ?`,
    [now, now, now],
  );
  // A server may still wait for an answer: its lease starts again.
  await queries.query(`UPDATE runs SET lease_until = ? WHERE state = 'triggering' AND lease_until > ?`, [
    now + leaseMs,
    now + leaseMs,
  ]);
}

/** Deletes runs of ticks to come for which nothing was sent: these ticks come again. A token shows that a request may have been sent. */
async function forgetUnsent(queries: Queries, now: number): Promise<void> {
  const unsent = `SELECT id FROM runs WHERE tick_at > ? AND origin = 'tick' AND state IN ('waiting', 'skipped') AND attempts = 0 AND token IS NULL`;
  await queries.query(`DELETE FROM events WHERE run_id IN (${unsent})`, [now]);
  await queries.query(`DELETE FROM alerts WHERE run_id IN (${unsent})`, [now]);
  await queries.query(`DELETE FROM runs WHERE id IN (${unsent})`, [now]);
}

/** The only parameter of each condition is the time. */
const futureTimes = [
  { table: 'runs', columns: ['not_before', 'unprepared_at'], where: `state = 'waiting' AND not_before > ?` },
  { table: 'runs', columns: ['poll_at'], where: `state = 'running' AND poll_at > ?` },
  { table: 'runs', columns: ['triggered_at', 'ended_at'], where: 'ended_at > ?' },
  { table: 'alerts', columns: ['send_at'], where: 'sent_at IS NULL AND send_at > ?' },
  { table: 'alerts', columns: ['sent_at'], where: 'sent_at > ?' },
  { table: 'events', columns: ['at'], where: 'at > ?' },
  { table: 'schedules', columns: ['since_at'], where: 'since_at > ?' },
  { table: 'schedules', columns: ['changed_at'], where: 'changed_at > ?' },
  { table: 'deliveries', columns: ['changed_at'], where: 'changed_at > ?' },
];
