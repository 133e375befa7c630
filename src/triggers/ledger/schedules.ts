/** Registers schedules, each whole or not at all, and with sealed secrets. */
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { assertNoProblems, type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import type { RecordKey, RegisteredSchedule } from '../api/records.ts';
import { type ScheduledRun, unresolvedStates } from '../api/runs.ts';
import { type ScheduleSpec, timingOf } from '../declared/scheduleSpec.ts';
import { durationMs } from '../declared/timingSpec.ts';
import { type Database, type Queries, rowSet } from '../store/database.ts';
import { nextTick } from '../timing/timing.ts';
import { assertDelivery, nameProblems, type Registration } from './deliveries.ts';
import { ledgerNow } from './now.ts';
import { pausedAs, type RunRow, runOf, type ScheduleRow, scheduleOf } from './rows.ts';
import { makeTransitions, withdrawal } from './transition.ts';

export async function putSchedule(
  { database, sealer, policy }: Registration,
  key: RecordKey,
  spec: ScheduleSpec,
): Promise<RegisteredSchedule> {
  assertNoProblems([...nameProblems(key.name), ...policy(spec)]);
  const sealed = sealer.seal(spec) as ScheduleSpec;
  return database.transaction(async (queries) => {
    await assertDelivery(queries, key.owner, spec.delivery);
    const before = await lockedSchedule(queries, key);
    // Read after the lock: the schedule may have ticked while this waited for it.
    const now = await ledgerNow(queries);
    await store(queries, { key, spec: sealed, before, now });
    return scheduleByName(queries, key, now);
  });
}

/** A resumed schedule ticks strictly after now: ticks from before it was made or while it was paused are not made up for. */
export async function setPaused(database: Database, key: RecordKey, paused: boolean): Promise<RegisteredSchedule> {
  return database.transaction(async (queries) => {
    const before = await lockedSchedule(queries, key);
    if (before === undefined) throw new ProblemError([unknownSchedule(key)]);
    const now = await ledgerNow(queries);
    await store(queries, { key, spec: { ...JSON.parse(before.spec), paused }, before, now, isByHand: true });
    return scheduleByName(queries, key, now);
  });
}

/** Active runs continue; waiting runs are withdrawn. */
export async function deleteSchedule(database: Database, key: RecordKey): Promise<undefined> {
  return database.transaction(async (queries): Promise<undefined> => {
    const before = await lockedSchedule(queries, key);
    if (before === undefined) throw new ProblemError([unknownSchedule(key)]);
    const at = await ledgerNow(queries);
    await withdrawWaiting(queries, before.id, scheduleRemoved, at);
    await queries.query('DELETE FROM schedules WHERE id = ?', [before.id]);
  });
}

/** The reason of runs whose schedule was deleted, before or after they were selected. */
export const scheduleRemoved = 'its schedule was removed';

async function withdrawWaiting(queries: Queries, schedule: string, text: string, at: number, only = ''): Promise<void> {
  const waiting = await queries.query<{ id: string; attempts: number }>(
    `SELECT id, attempts FROM runs WHERE schedule_id = ? AND state = 'waiting' ${only} ORDER BY tick_at`,
    [schedule],
  );
  await makeTransitions(
    queries,
    waiting.map((run) => withdrawal(run, text, at)),
  );
}

interface Change {
  key: RecordKey;
  /** Sealed. */
  spec: ScheduleSpec;
  before: ScheduleRow | undefined;
  now: number;
  /** True if a person changes it outside of the declaration. */
  isByHand?: boolean;
}

async function store(queries: Queries, { key, spec, before, now, isByHand = false }: Change): Promise<void> {
  const timing = timingOf(spec);
  const isNew = before === undefined || startsAnew(JSON.parse(before.spec), spec);
  const cursor = isNew ? now : before.cursor_at;
  const next = nextTick(timing, cursor) ?? null;
  const delivery = typeof spec.delivery === 'string' ? spec.delivery : null;
  const id = before?.id ?? `h_${randomBytes(10).toString('hex')}`;
  const { inputs: _, ...brief } = spec;
  const values = {
    id,
    ...key,
    target: spec.collector ?? spec.dataset ?? '',
    spec: JSON.stringify(spec),
    brief: JSON.stringify(brief),
    delivery,
    overlap: spec.overlap,
    late_after: durationMs(spec.lateAfter),
    paused: spec.paused ? pausedAs[isByHand ? 'hand' : 'declaration'] : 0,
    changed_at: now,
    since_at: isNew ? now : before.since_at,
    cursor_at: cursor,
    next_at: next,
  };
  const columns = Object.keys(values);
  const updates = columns.filter((column) => column !== 'id').map((column) => `${column} = excluded.${column}`);
  await queries.query(
    `INSERT INTO schedules (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
     ON CONFLICT (owner, name) DO UPDATE SET ${updates.join(', ')}`,
    Object.values(values),
  );
  // Pausing also withdraws waiting ticks, but not runs that a person ordered.
  if (spec.paused) await withdrawWaiting(queries, id, 'the schedule was paused', now, `AND origin = 'tick'`);
}

function startsAnew(before: ScheduleSpec, after: ScheduleSpec): boolean {
  return (before.paused && !after.paused) || !isDeepStrictEqual(timingOf(before), timingOf(after));
}

async function lockedSchedule(queries: Queries, { owner, name }: RecordKey): Promise<ScheduleRow | undefined> {
  const [row] = await queries.query<ScheduleRow>(
    `SELECT * FROM schedules WHERE owner = ? AND name = ? ${queries.dialect.lock}`,
    [owner, name],
  );
  return row;
}

/** @throws ProblemError if it does not exist */
async function scheduleByName(queries: Queries, key: RecordKey, now: number): Promise<RegisteredSchedule> {
  const of = [key.owner, key.name];
  const rows = await queries.query<ScheduleRow>('SELECT * FROM schedules WHERE owner = ? AND name = ?', of);
  const [schedule] = await withLastRuns(queries, rows, now);
  if (schedule === undefined) throw new ProblemError([unknownSchedule(key)]);
  return schedule;
}

export async function withLastRuns(
  queries: Queries,
  rows: readonly ScheduleRow[],
  now: number,
): Promise<RegisteredSchedule[]> {
  if (rows.length === 0) return [];
  const latest = 'SELECT MAX(l.tick_at) FROM runs l WHERE l.schedule_id = it.id';
  const last = await queries.query<RunRow>(
    // A run of a tick to come is from a time when the clock was ahead.
    `SELECT r.* FROM ${queries.dialect.rows({ id: 'TEXT' })} JOIN runs r ON ${queries.dialect.equals('r.schedule_id', 'it.id')}
       AND r.tick_at = COALESCE((${latest} AND l.tick_at <= ?), (${latest}))`,
    [rowSet(rows.map(({ id }) => ({ id }))), now],
  );
  const lastRuns = new Map<string, ScheduledRun>(last.map((row) => [row.schedule_id, runOf(row)]));
  const unresolved = await unresolvedRuns(queries);
  return rows.map((row) => {
    const mine = unresolved.filter(({ schedule_id }) => schedule_id === row.id).slice(0, mostUnresolved);
    return scheduleOf(row, { lastRun: lastRuns.get(row.id) ?? null, unresolved: mine.map(runOf) });
  });
}

/** Of each schedule that are shown, and of all that are read: there are few, unless a service was down for long. */
const mostUnresolved = 20;
const mostRead = 5000;

/** An index has the runs of a state, in the order of their ticks. */
async function unresolvedRuns(queries: Queries): Promise<RunRow[]> {
  const found = await Promise.all(
    unresolvedStates.map((state) =>
      queries.query<RunRow>(`SELECT * FROM runs WHERE state = ? ORDER BY tick_at DESC LIMIT ${mostRead}`, [state]),
    ),
  );
  return found.flat().sort((a, b) => b.tick_at - a.tick_at);
}

/** Returns the spec of a run's schedule, without its inputs; undefined if the schedule was deleted. */
export async function specOfRun(queries: Queries, run: string): Promise<ScheduleSpec | undefined> {
  const [row] = await queries.query<{ brief: string }>(
    'SELECT s.brief AS brief FROM runs r JOIN schedules s ON s.id = r.schedule_id WHERE r.id = ?',
    [run],
  );
  return row && JSON.parse(row.brief);
}

export function unknownSchedule({ owner, name }: RecordKey): Problem {
  return { code: 'unknown-schedule', found: `schedule ${name} is not registered for ${owner}` };
}
