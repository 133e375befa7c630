/** Turns due ticks into runs: each tick into exactly one run, even if several servers look at the same time. */
import { randomBytes } from 'node:crypto';
import type { RunState } from '../model.ts';
import { type ScheduleSpec, timingOf } from '../spec/scheduleSpec.ts';
import { type Database, inParallel, type Queries } from '../store/database.ts';
import { nextTick } from '../timing/timing.ts';
import { catchUpOf, type DueTicks, dueTicks } from './dueTicks.ts';
import { ledgerNow } from './now.ts';
import { briefColumns, type ScheduleRow } from './rows.ts';
import { addEvent } from './transition.ts';

/** Schedules per transaction. */
const batch = 100;

export interface Ticked {
  /** The number of new runs, including skipped ones. */
  runs: number;
  /** True if more schedules may be due already. */
  more: boolean;
  /** Schedules whose ticks cannot be computed, and why; they are tried again later. */
  unreadable: { schedule: string; why: string }[];
}

const retryUnreadableMs = 60_000;

export type TickingSchedule = ScheduleRow & { late_after: number; overlap: ScheduleSpec['overlap'] };

export function tickDue(database: Database): Promise<Ticked> {
  return database.transaction(async (queries) => {
    const now = await ledgerNow(queries, database);
    const due = await queries.query<TickingSchedule>(
      `SELECT ${briefColumns} FROM schedules WHERE paused = 0 AND next_at <= ? ORDER BY next_at LIMIT ${batch} ${database.dialect.skipLocked}`,
      [now],
    );
    const unreadable: Ticked['unreadable'] = [];
    const runs = await inParallel(due, async (schedule) => {
      const ticks = ticksOf(schedule, now);
      if (!('why' in ticks)) return tickOne(queries, schedule, ticks, now);
      unreadable.push({ schedule: `${schedule.owner}/${schedule.name}`, why: ticks.why });
      await queries.query('UPDATE schedules SET next_at = ? WHERE id = ?', [now + retryUnreadableMs, schedule.id]);
      return 0;
    });
    return { runs: runs.reduce((sum, made) => sum + made, 0), more: due.length === batch, unreadable };
  });
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

async function tickOne(queries: Queries, schedule: TickingSchedule, due: Ticks, now: number): Promise<number> {
  const advanced = await queries.query(
    'UPDATE schedules SET cursor_at = ?, next_at = ? WHERE id = ? AND cursor_at = ? RETURNING id',
    [due.cursor, due.next ?? null, schedule.id, schedule.cursor_at],
  );
  if (advanced.length === 0) return 0;
  const made = { origin: 'tick', at: now } as const;
  const skipped = due.skip.map(({ at, reason }) => ({ ...made, tickAt: at, state: 'skipped', text: reason }) as const);
  const waiting = due.fire.map((tickAt) => ({ ...made, tickAt, state: 'waiting', text: 'due' }) as const);
  await inParallel([...skipped, ...waiting], (run) => addRun(queries, schedule, run));
  return due.skip.length + due.fire.length;
}

export interface NewRun {
  tickAt: number;
  origin: 'tick' | 'hand';
  state: RunState & ('waiting' | 'skipped');
  text: string;
  at: number;
}

/** Returns the id of the new run; undefined if the tick already has one. */
export async function addRun(queries: Queries, schedule: TickingSchedule, run: NewRun): Promise<string | undefined> {
  const { tickAt, origin, state, text, at } = run;
  const id = `r_${randomBytes(10).toString('hex')}`;
  const exclusive = isExclusive(schedule.overlap) ? 1 : 0;
  const skipped = state === 'skipped';
  const added = await queries.query(
    `INSERT INTO runs (id, schedule_id, owner, schedule, target, tick_at, origin, state, reason, exclusive, attempts,
       not_before, ended_at, late_after, late)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, 0) ON CONFLICT (schedule_id, tick_at) DO NOTHING RETURNING id`,
    [
      id,
      schedule.id,
      schedule.owner,
      schedule.name,
      schedule.target,
      tickAt,
      origin,
      state,
      skipped ? text : null,
      exclusive,
      tickAt,
      skipped ? at : null,
      schedule.late_after,
    ],
  );
  if (added.length === 0) return undefined;
  await addEvent(queries, { run: id, at, state, text });
  return id;
}

/** Returns whether at most one run may be active. */
export function isExclusive(overlap: ScheduleSpec['overlap'] | null): boolean {
  return overlap === 'skip' || overlap === 'queue';
}
