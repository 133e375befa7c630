/** Turns due ticks into runs: each tick into exactly one run, even if several servers look at the same time. */
import { randomBytes } from 'node:crypto';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import type { RecordKey } from '../api/records.ts';
import { type ScheduleSpec, timingOf } from '../declared/scheduleSpec.ts';
import { type Database, type Queries, rowSet } from '../store/database.ts';
import { nextTick } from '../timing/timing.ts';
import { catchUpOf, type DueTicks, dueTicks } from './dueTicks.ts';
import { ledgerNow } from './now.ts';
import { briefColumns, type ScheduleRow } from './rows.ts';
import { unknownSchedule } from './schedules.ts';
import { addAlerts, addEvents } from './transition.ts';

/** Schedules per transaction. */
const batch = 100;

interface Ticked {
  /** True if more schedules may be due already. */
  more: boolean;
  /** Schedules whose ticks cannot be computed, and why; they are tried again later. */
  unreadable: { schedule: string; why: string }[];
}

const retryUnreadableMs = 60_000;

export type TickingSchedule = ScheduleRow & { late_after: number; overlap: ScheduleSpec['overlap'] };

/** Locks the schedule, and returns it without its inputs. @throws ProblemError if it does not exist */
export async function lockedTickingSchedule(queries: Queries, key: RecordKey): Promise<TickingSchedule> {
  const [schedule] = await queries.query<TickingSchedule>(
    `SELECT ${briefColumns} FROM schedules WHERE owner = ? AND name = ? ${queries.dialect.lock}`,
    [key.owner, key.name],
  );
  if (schedule === undefined) throw new ProblemError([unknownSchedule(key)]);
  return schedule;
}

/** `unknown` says why ticks that are due may have been fired before: then their runs are unknown. */
export function tickDue(database: Database, unknown?: string): Promise<Ticked> {
  return database.transaction(async (queries) => {
    const now = await ledgerNow(queries);
    const due = await queries.query<TickingSchedule>(
      `SELECT ${briefColumns} FROM schedules WHERE paused = 0 AND next_at <= ? ORDER BY next_at LIMIT ${batch} ${database.dialect.skipLocked}`,
      [now],
    );
    const unreadable: Ticked['unreadable'] = [];
    const readable: TickedSchedule[] = [];
    for (const schedule of due) {
      const ticks = ticksOf(schedule, now);
      if (!('why' in ticks)) readable.push({ schedule, ticks });
      else {
        unreadable.push({ schedule: `${schedule.owner}/${schedule.name}`, why: ticks.why });
        await queries.query('UPDATE schedules SET next_at = ? WHERE id = ?', [now + retryUnreadableMs, schedule.id]);
      }
    }
    const advanced = await advance(queries, readable);
    await insertRuns(
      queries,
      advanced.flatMap(({ schedule, ticks }) => runsOf(schedule, ticks, now, unknown)),
    );
    return { more: due.length === batch, unreadable };
  });
}

interface TickedSchedule {
  schedule: TickingSchedule;
  ticks: Ticks;
}

type Ticks = DueTicks & { next: number | undefined };

/** A schedule from another version, or for a time zone that no longer exists, must not stop the others. */
function ticksOf({ spec: text, cursor_at }: TickingSchedule, now: number): Ticks | { why: string } {
  try {
    const spec: ScheduleSpec = JSON.parse(text);
    const timing = timingOf(spec);
    const due = dueTicks(timing, cursor_at, now, catchUpOf(spec));
    return { ...due, next: nextTick(timing, due.cursor) };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns the schedules whose ticks no other server has taken. */
async function advance(queries: Queries, ticked: readonly TickedSchedule[]): Promise<TickedSchedule[]> {
  const rows = ticked.map(({ schedule: { id, cursor_at: before }, ticks: { cursor, next = null } }) => {
    return { id, before, cursor_at: cursor, next_at: next };
  });
  const columns = { id: 'TEXT', before: 'BIGINT', cursor_at: 'BIGINT', next_at: 'BIGINT' } as const;
  const advanced = await queries.query<{ id: string }>(
    `UPDATE schedules SET cursor_at = it.cursor_at, next_at = it.next_at FROM ${queries.dialect.rows(columns)}
     WHERE ${queries.dialect.equals('schedules.id', 'it.id')} AND schedules.cursor_at = it.before RETURNING schedules.id AS id`,
    [rowSet(rows)],
  );
  const ids = new Set(advanced.map(({ id }) => id));
  return ticked.filter(({ schedule }) => ids.has(schedule.id));
}

function runsOf(schedule: TickingSchedule, { skip, fire }: Ticks, at: number, unknown?: string): NewRun[] {
  const made = { schedule, origin: 'tick', at } as const;
  return [
    ...skip.map((tick) => ({ ...made, tickAt: tick.at, state: 'skipped', text: tick.reason }) as const),
    ...fire.map((tickAt) =>
      unknown === undefined
        ? ({ ...made, tickAt, state: 'waiting', text: 'due' } as const)
        : ({ ...made, tickAt, state: 'unknown', text: unknown } as const),
    ),
  ];
}

interface NewRun {
  schedule: Pick<TickingSchedule, 'id' | 'owner' | 'name' | 'target' | 'late_after' | 'overlap'>;
  tickAt: number;
  origin: 'tick' | 'hand';
  state: 'waiting' | 'skipped' | 'unknown';
  text: string;
  at: number;
  orderKey?: string | undefined;
}

/** Returns the ids of the new runs: undefined for a tick that already has one. */
export async function insertRuns(queries: Queries, runs: readonly NewRun[]): Promise<(string | undefined)[]> {
  if (runs.length === 0) return [];
  const rows = runs.map(({ schedule, tickAt, origin, state, text, at, orderKey = null }) => {
    const { id: schedule_id, owner, name, target, late_after, overlap } = schedule;
    const isSkipped = state === 'skipped';
    return {
      id: `r_${randomBytes(10).toString('hex')}`,
      ...{ schedule_id, owner, schedule: name, target, tick_at: tickAt, origin, state, late_after },
      reason: state === 'waiting' ? null : text,
      exclusive: isExclusive(overlap) ? 1 : 0,
      // A tick that is skipped at once was found too late.
      late: isSkipped ? 1 : 0,
      not_before: tickAt,
      ended_at: isSkipped ? at : null,
      order_key: orderKey,
    };
  });
  const columns = Object.keys(newRunColumns);
  // Without a condition, SQLite takes the ON of the conflict for that of a join.
  const added = await queries.query<{ id: string }>(
    `INSERT INTO runs (${columns.join(', ')}, attempts)
     SELECT ${columns.map((name) => `it.${name}`).join(', ')}, 0 FROM ${queries.dialect.rows(newRunColumns)} WHERE TRUE
     ON CONFLICT (schedule_id, tick_at) DO NOTHING RETURNING id`,
    [rowSet(rows)],
  );
  const isAdded = new Set(added.map(({ id }) => id));
  const ids = rows.map(({ id }) => (isAdded.has(id) ? id : undefined));
  const events = runs.flatMap(({ at, state, text }, index) => {
    const run = ids[index];
    return run === undefined ? [] : [{ run, at, state, text }];
  });
  await addEvents(queries, events);
  await addAlerts(
    queries,
    events.flatMap(({ run, at, state }) => (state === 'unknown' ? [{ run, why: 'unknown', at } as const] : [])),
  );
  return ids;
}

const newRunColumns = {
  id: 'TEXT',
  schedule_id: 'TEXT',
  owner: 'TEXT',
  schedule: 'TEXT',
  target: 'TEXT',
  tick_at: 'BIGINT',
  origin: 'TEXT',
  state: 'TEXT',
  late_after: 'BIGINT',
  reason: 'TEXT',
  exclusive: 'BIGINT',
  late: 'BIGINT',
  not_before: 'BIGINT',
  ended_at: 'BIGINT',
  order_key: 'TEXT',
} as const;

/** Returns whether at most one run may be active. */
export function isExclusive(overlap: ScheduleSpec['overlap'] | null): boolean {
  return overlap === 'skip' || overlap === 'queue';
}
