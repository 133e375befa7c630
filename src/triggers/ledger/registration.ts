/** Registers deliveries and schedules, each whole or not at all, and with sealed secrets. */
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import type { RegisteredDelivery, RegisteredSchedule } from '../api/records.ts';
import type { ScheduledRun } from '../api/runs.ts';
import type { DeliverySpec } from '../declared/deliverySpec.ts';
import { type ScheduleSpec, timingOf } from '../declared/scheduleSpec.ts';
import { durationMs } from '../declared/timingSpec.ts';
import type { Sealer } from '../secrets/secrets.ts';
import type { Database, Queries } from '../store/database.ts';
import { nextTick } from '../timing/timing.ts';
import { ledgerNow } from './now.ts';
import { type DeliveryRow, deliveryOf, type RunRow, runOf, type ScheduleRow, scheduleOf } from './rows.ts';
import { makeTransitions, withdrawal } from './transition.ts';

/** Returns the problems of a valid spec that the operator of the service does not allow. */
export type Policy = (spec: DeliverySpec | ScheduleSpec) => Problem[];

export interface Registration {
  database: Database;
  sealer: Sealer;
  policy: Policy;
}

export async function putDelivery(
  { database, sealer, policy }: Registration,
  owner: string,
  name: string,
  spec: DeliverySpec,
): Promise<RegisteredDelivery> {
  throwProblems([...nameProblems(name), ...policy(spec)]);
  const stored = JSON.stringify(sealer.seal(spec));
  return database.transaction(async (queries) => {
    const now = await ledgerNow(queries, database);
    const [row] = await queries.query<DeliveryRow>(
      `INSERT INTO deliveries (owner, name, spec, changed_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (owner, name) DO UPDATE SET spec = excluded.spec, changed_at = excluded.changed_at RETURNING *`,
      [owner, name, stored, now],
    );
    if (row === undefined) throw new TypeError('the written delivery is missing');
    return deliveryOf(row);
  });
}

export async function deleteDelivery({ database }: Registration, owner: string, name: string): Promise<boolean> {
  return database.transaction(async (queries) => {
    if (!(await lockedDelivery(queries, database, owner, name))) return false;
    const users = await queries.query<{ name: string }>(
      'SELECT name FROM schedules WHERE owner = ? AND delivery = ? ORDER BY name',
      [owner, name],
    );
    throwProblems(users.length > 0 ? [inUse(name, users)] : []);
    await queries.query('DELETE FROM deliveries WHERE owner = ? AND name = ?', [owner, name]);
    return true;
  });
}

export async function putSchedule(
  { database, sealer, policy }: Registration,
  owner: string,
  name: string,
  spec: ScheduleSpec,
): Promise<RegisteredSchedule> {
  throwProblems([...nameProblems(name), ...policy(spec)]);
  const sealed = sealer.seal(spec) as ScheduleSpec;
  return database.transaction(async (queries) => {
    await assertDelivery(queries, database, owner, spec.delivery);
    const before = await lockedSchedule(queries, database, owner, name);
    // Read after the lock: the schedule may have ticked while this waited for it.
    const now = await ledgerNow(queries, database);
    await store(queries, { owner, name, spec: sealed, before, now });
    return scheduleByName(queries, owner, name, now);
  });
}

/** A resumed schedule ticks strictly after now: ticks from before it was made or while it was paused are not made up for. */
export async function setPaused(
  { database }: Pick<Registration, 'database'>,
  owner: string,
  name: string,
  paused: boolean,
): Promise<RegisteredSchedule> {
  return database.transaction(async (queries) => {
    const before = await lockedSchedule(queries, database, owner, name);
    if (before === undefined) throw new ProblemError([unknownSchedule(owner, name)]);
    const now = await ledgerNow(queries, database);
    await store(queries, { owner, name, spec: { ...JSON.parse(before.spec), paused }, before, now });
    return scheduleByName(queries, owner, name, now);
  });
}

/** Active runs continue; waiting runs are withdrawn. */
export async function deleteSchedule({ database }: Registration, owner: string, name: string): Promise<boolean> {
  return database.transaction(async (queries) => {
    const before = await lockedSchedule(queries, database, owner, name);
    if (before === undefined) return false;
    const at = await ledgerNow(queries, database);
    await withdrawWaiting(queries, before.id, scheduleRemoved, at);
    await queries.query('DELETE FROM schedules WHERE id = ?', [before.id]);
    return true;
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
  owner: string;
  name: string;
  /** Sealed. */
  spec: ScheduleSpec;
  before: ScheduleRow | undefined;
  now: number;
}

async function store(queries: Queries, { owner, name, spec, before, now }: Change): Promise<void> {
  const timing = timingOf(spec);
  const isNew = before === undefined || startsAnew(JSON.parse(before.spec), spec);
  const cursor = isNew ? now : before.cursor_at;
  const next = nextTick(timing, cursor) ?? null;
  const delivery = typeof spec.delivery === 'string' ? spec.delivery : null;
  const id = before?.id ?? `h_${randomBytes(10).toString('hex')}`;
  const { inputs: _, ...brief } = spec;
  const values = {
    id,
    owner,
    name,
    target: spec.collector ?? spec.dataset ?? '',
    spec: JSON.stringify(spec),
    brief: JSON.stringify(brief),
    delivery,
    overlap: spec.overlap,
    late_after: durationMs(spec.lateAfter),
    paused: spec.paused ? 1 : 0,
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

async function lockedSchedule(
  queries: Queries,
  { dialect }: Database,
  owner: string,
  name: string,
): Promise<ScheduleRow | undefined> {
  const [row] = await queries.query<ScheduleRow>(
    `SELECT * FROM schedules WHERE owner = ? AND name = ? ${dialect.lock}`,
    [owner, name],
  );
  return row;
}

/** @throws ProblemError if it does not exist */
async function scheduleByName(queries: Queries, owner: string, name: string, now: number): Promise<RegisteredSchedule> {
  const rows = await queries.query<ScheduleRow>('SELECT * FROM schedules WHERE owner = ? AND name = ?', [owner, name]);
  const [schedule] = await withLastRuns(queries, rows, now);
  if (schedule === undefined) throw new ProblemError([unknownSchedule(owner, name)]);
  return schedule;
}

export async function withLastRuns(
  queries: Queries,
  rows: readonly ScheduleRow[],
  now: number,
): Promise<RegisteredSchedule[]> {
  if (rows.length === 0) return [];
  const latest = 'SELECT MAX(l.tick_at) FROM runs l WHERE l.schedule_id = s.id';
  const last = await queries.query<RunRow>(
    // The query starts from the schedules, because starting from the runs would read every run. A run of a tick to come is from a time
    // when the clock was ahead.
    `SELECT r.* FROM schedules s JOIN runs r ON r.schedule_id = s.id
       AND r.tick_at = COALESCE((${latest} AND l.tick_at <= ?), (${latest}))
     WHERE s.id IN (${rows.map(() => '?').join(', ')})`,
    [now, ...rows.map(({ id }) => id)],
  );
  const lastRuns = new Map<string, ScheduledRun>(last.map((row) => [row.schedule_id, runOf(row)]));
  return rows.map((row) => scheduleOf(row, lastRuns.get(row.id) ?? null));
}

/** Locks the delivery too, so that it cannot be deleted before the schedule that names it is stored. */
async function assertDelivery(
  queries: Queries,
  database: Database,
  owner: string,
  delivery: ScheduleSpec['delivery'],
): Promise<void> {
  if (typeof delivery !== 'string' || (await lockedDelivery(queries, database, owner, delivery))) return;
  const rows = await queries.query<{ name: string }>('SELECT name FROM deliveries WHERE owner = ? ORDER BY name', [
    owner,
  ]);
  throw new ProblemError([unknownDelivery(delivery, rows)]);
}

async function lockedDelivery(queries: Queries, { dialect }: Database, owner: string, name: string): Promise<boolean> {
  const rows = await queries.query(`SELECT name FROM deliveries WHERE owner = ? AND name = ? ${dialect.lock}`, [
    owner,
    name,
  ]);
  return rows.length > 0;
}

function throwProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new ProblemError(problems);
}

/** The same rule as in declarations. `after=owner/name` continues a list, and owners may contain slashes, so names must not. */
function nameProblems(name: string): Problem[] {
  return /^[A-Za-z0-9][\w.-]*$/.test(name) ? [] : [{ ...badName, found: `the name ${JSON.stringify(name)}` }];
}

const badName = {
  code: 'wrong-record-name',
  allowed: 'letters, digits, ".", "_" and "-", beginning with a letter or a digit',
  fix: 'use another name',
};

function inUse(name: string, users: readonly { name: string }[]): Problem {
  return {
    code: 'delivery-in-use',
    found: `delivery ${name} is used by ${users.map((user) => user.name).join(', ')}`,
    fix: 'change or delete these schedules first',
  };
}

function unknownDelivery(name: string, rows: readonly { name: string }[]): Problem {
  return {
    code: 'unknown-delivery',
    path: ['delivery'],
    found: `delivery ${name} is not registered`,
    allowed: rows.map((row) => row.name).join(', ') || 'none yet',
    fix: 'register the delivery first',
  };
}

export function unknownSchedule(owner: string, name: string): Problem {
  return { code: 'unknown-schedule', found: `schedule ${name} is not registered for ${owner}` };
}
