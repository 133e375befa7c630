/** Finds out what is due, in one query, so that an idle server sends few. */
import type { Database, Queries } from '../store/database.ts';
import { arrivalDueAt, awaitsArrival } from './arrivals.ts';
import { isClockAhead, type LatestRecords, latestRecords } from './clockCorrection.ts';
import { ledgerNow, nowIn } from './now.ts';
import { addAlerts, addEvents } from './transition.ts';

export interface Pending {
  /** The ledger's time. */
  now: number;
  /** True if the clock was ahead, and the ledger has to be corrected before anything else. */
  isClockAhead: boolean;
  ticks: boolean;
  waiting: boolean;
  polls: boolean;
  leases: boolean;
  late: boolean;
  undelivered: boolean;
  alerts: boolean;
  /** True if no run waits, runs or is to be polled, and no alert waits: only a tick, or a missing delivery, can become due. */
  isIdle: boolean;
  /** The time at which the oldest tick, lease or late run fell due; undefined if none is due. */
  oldestDueAt: number | undefined;
  /** The time until the next tick of any schedule; undefined if there is none. */
  nextTickInMs: number | undefined;
}

type Row = Record<'now' | 'waiting' | 'polls' | 'undelivered' | 'alerts' | 'open', number> &
  LatestRecords &
  Record<'next_at' | 'leases' | 'late', number | null>;

export async function pendingWork(database: Database): Promise<Pending> {
  // With an order, PostgreSQL reads the index of that order. For EXISTS and MIN it may read all rows.
  const first = (what: string, from: string, order: string) =>
    `(SELECT ${what} FROM ${from} ORDER BY ${order} LIMIT 1)`;
  const exists = (from: string, order: string) => `COALESCE(${first('1', from, order)}, 0)`;
  const [row] = await database.query<Row>(
    `SELECT now, ${first('next_at', 'schedules WHERE paused = 0 AND next_at IS NOT NULL', 'next_at')} AS next_at,
       ${exists(`runs WHERE state = 'waiting' AND not_before <= now`, 'tick_at')} AS waiting,
       ${exists(`runs WHERE state IN ('running', 'unkept') AND poll_at <= now`, 'poll_at')} AS polls,
       ${first('lease_until', `runs WHERE state = 'triggering' AND lease_until < now`, 'lease_until')} AS leases,
       ${first(lateAt, `runs WHERE state = 'waiting' AND late = 0 AND ${lateAt} < now`, lateAt)} AS late,
       ${exists(`runs WHERE ${awaitsArrival} AND ${arrivalDueAt} < now`, arrivalDueAt)} AS undelivered,
       ${exists('alerts WHERE sent_at IS NULL AND send_at <= now', 'send_at')} AS alerts,
       ${exists(`runs WHERE state IN ('waiting', 'triggering', 'running')`, 'schedule_id')}
         + ${exists(`runs WHERE state IN ('running', 'unkept')`, 'poll_at')}
         + ${exists('alerts WHERE sent_at IS NULL', 'send_at')} AS open, ${latestRecords}
     FROM (SELECT ${nowIn(database.dialect)} AS now) AS clock`,
  );
  const now = Number(row?.now);
  const next = row?.next_at ?? undefined;
  const due = [next, row?.leases, row?.late].filter((at) => typeof at === 'number' && at <= now) as number[];
  return {
    now,
    oldestDueAt: due.length === 0 ? undefined : Math.min(...due),
    isClockAhead: row !== undefined && isClockAhead(row, now),
    ticks: next !== undefined && next <= now,
    waiting: row?.waiting === 1,
    polls: row?.polls === 1,
    leases: typeof row?.leases === 'number',
    late: typeof row?.late === 'number',
    undelivered: row?.undelivered === 1,
    alerts: row?.alerts === 1,
    isIdle: row?.open === 0,
    nextTickInMs: next === undefined ? undefined : Math.max(0, next - now),
  };
}

const lateAt = 'tick_at + late_after';

/** Marks runs as late that wait longer than their schedule allows. */
export function flagLate(database: Database): Promise<number> {
  return database.transaction(async (queries) => {
    const at = await ledgerNow(queries);
    const late = await queries.query<{ id: string }>(
      `UPDATE runs SET late = 1 WHERE id IN (
         SELECT id FROM runs WHERE state = 'waiting' AND late = 0 AND ${lateAt} < ?
         ORDER BY ${lateAt} LIMIT 500 ${database.dialect.skipLocked}) RETURNING id`,
      [at],
    );
    await addEvents(
      queries,
      late.map(({ id }) => ({ run: id, at, state: 'waiting', text: 'late: still waiting' })),
    );
    await addAlerts(
      queries,
      late.map(({ id }) => ({ run: id, why: 'late', at })),
    );
    return late.length;
  });
}

export interface Retention {
  eventsMs: number;
  runsMs: number;
}

/** Rows that one statement deletes: few enough that it is quick. */
const batchSize = 2000;

/**
 * Deletes part of the records that are past their retention. Returns whether there may be more. After a jump of the clock, nothing is deleted
 * for a day: the clock may be ahead, and what is deleted does not come back when it is set right.
 */
export function forgetOld(database: Database, { eventsMs, runsMs }: Retention): Promise<boolean> {
  return database.transaction(async (queries) => {
    const now = await ledgerNow(queries);
    if (await isAfterJump(queries, now)) return false;
    const forget = async (table: string, column: string, before: number) => {
      const old = `SELECT id FROM ${table} WHERE ${column} < ? ORDER BY ${column} LIMIT ${batchSize} ${database.dialect.skipLocked}`;
      const gone = await queries.query(`DELETE FROM ${table} WHERE id IN (${old}) RETURNING id`, [before]);
      return gone.length === batchSize;
    };
    const more = [
      await forget('events', 'at', now - eventsMs),
      await forget('runs', 'ended_at', now - runsMs),
      await forget('alerts', 'sent_at', now - runsMs),
    ];
    return more.includes(true);
  });
}

/** A running server deletes more often. After a longer pause, the clock is not believed for the same time. */
const jumpMs = 86_400_000;

/** Remembers the time, and returns true if it jumped within the last day: by a wrong clock, or because no server was running. */
async function isAfterJump(queries: Queries, now: number): Promise<boolean> {
  const rows = await queries.query<{ key: string; value: number }>(
    `SELECT key, value FROM meta WHERE key IN ('forgot_at', 'jumped_at')`,
  );
  const known = new Map(rows.map(({ key, value }) => [key, Number(value)]));
  const remember = (key: string) =>
    queries.query(
      `INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
      [key, now],
    );
  const hasJumped = now - (known.get('forgot_at') ?? now) > jumpMs;
  await remember('forgot_at');
  if (hasJumped) await remember('jumped_at');
  const since = now - (hasJumped ? now : (known.get('jumped_at') ?? Number.NEGATIVE_INFINITY));
  // A jump that is in the future was that of a clock that is right again.
  return since >= 0 && since < jumpMs;
}
