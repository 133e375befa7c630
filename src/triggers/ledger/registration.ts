/** Deliveries and schedules as they are registered: whole or not at all, and with their literal secrets sealed. */
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Problem, ProblemError } from '../../input/problem.ts';
import type { DeliverySpec } from '../deliverySpec.ts';
import type { RegisteredDelivery, RegisteredSchedule, Run } from '../model.ts';
import { type ScheduleSpec, timingOf } from '../scheduleSpec.ts';
import type { Sealer } from '../secrets.ts';
import type { Database, Queries } from '../store/database.ts';
import { nextTick } from '../timing.ts';
import { durationMs } from '../timingSpec.ts';
import { ledgerNow } from './now.ts';
import { type DeliveryRow, deliveryOf, type RunRow, runOf, type ScheduleRow, scheduleOf } from './rows.ts';
import { makeTransition } from './transition.ts';

/** What the operator of the service does not allow, of a spec that is otherwise right. */
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
  insist(policy(spec));
  const stored = JSON.stringify(sealer.seal(spec));
  return database.transaction(async (queries) => {
    const now = await ledgerNow(queries, database);
    const [row] = await queries.query<DeliveryRow>(
      `INSERT INTO deliveries (owner, name, spec, changed_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (owner, name) DO UPDATE SET spec = excluded.spec, changed_at = excluded.changed_at RETURNING *`,
      [owner, name, stored, now],
    );
    if (row === undefined) throw new TypeError('what was written is not there');
    return deliveryOf(row);
  });
}

export async function deleteDelivery({ database }: Registration, owner: string, name: string): Promise<boolean> {
  return database.transaction(async (queries) => {
    const users = await queries.query<{ name: string }>(
      'SELECT name FROM schedules WHERE owner = ? AND delivery = ? ORDER BY name',
      [owner, name],
    );
    insist(users.length > 0 ? [inUse(name, users)] : []);
    const deleted = await queries.query('DELETE FROM deliveries WHERE owner = ? AND name = ? RETURNING name', [
      owner,
      name,
    ]);
    return deleted.length > 0;
  });
}

export async function putSchedule(
  { database, sealer, policy }: Registration,
  owner: string,
  name: string,
  spec: ScheduleSpec,
): Promise<RegisteredSchedule> {
  insist(policy(spec));
  const sealed = sealer.seal(spec) as ScheduleSpec;
  return database.transaction(async (queries) => {
    const now = await ledgerNow(queries, database);
    await insistOnDelivery(queries, owner, spec.delivery);
    const before = await lockedSchedule(queries, database, owner, name);
    await store(queries, { owner, name, spec: sealed, before, now });
    return registeredSchedule(queries, owner, name);
  });
}

/** It goes on strictly after now: neither what came before it was made, nor what it slept through, is made up for. */
export async function setPaused(
  { database }: Pick<Registration, 'database'>,
  owner: string,
  name: string,
  paused: boolean,
): Promise<RegisteredSchedule> {
  return database.transaction(async (queries) => {
    const now = await ledgerNow(queries, database);
    const before = await lockedSchedule(queries, database, owner, name);
    if (before === undefined) throw new ProblemError([unknownSchedule(owner, name)]);
    await store(queries, { owner, name, spec: { ...JSON.parse(before.spec), paused }, before, now });
    return registeredSchedule(queries, owner, name);
  });
}

/** Runs that are under way go on; those that wait do not begin. */
export async function deleteSchedule({ database }: Registration, owner: string, name: string): Promise<boolean> {
  return database.transaction(async (queries) => {
    const at = await ledgerNow(queries, database);
    const before = await lockedSchedule(queries, database, owner, name);
    if (before === undefined) return false;
    const waiting = await queries.query<{ id: string }>(
      `SELECT id FROM runs WHERE schedule_id = ? AND state = 'waiting'`,
      [before.id],
    );
    for (const { id } of waiting) {
      await makeTransition(queries, {
        run: id,
        from: ['waiting'],
        to: 'skipped',
        text: 'its schedule was removed',
        at,
      });
    }
    await queries.query('DELETE FROM schedules WHERE id = ?', [before.id]);
    return true;
  });
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
  const values = {
    id,
    owner,
    name,
    target: spec.collector ?? spec.dataset ?? '',
    spec: JSON.stringify(spec),
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

/** @throws ProblemError where there is none */
export async function registeredSchedule(queries: Queries, owner: string, name: string): Promise<RegisteredSchedule> {
  const rows = await queries.query<ScheduleRow>('SELECT * FROM schedules WHERE owner = ? AND name = ?', [owner, name]);
  const [schedule] = await withLastRuns(queries, rows);
  if (schedule === undefined) throw new ProblemError([unknownSchedule(owner, name)]);
  return schedule;
}

export async function withLastRuns(queries: Queries, rows: readonly ScheduleRow[]): Promise<RegisteredSchedule[]> {
  if (rows.length === 0) return [];
  const last = await queries.query<RunRow>(
    `SELECT r.* FROM runs r WHERE r.schedule_id IN (${rows.map(() => '?').join(', ')})
     AND r.tick_at = (SELECT MAX(l.tick_at) FROM runs l WHERE l.schedule_id = r.schedule_id)`,
    rows.map(({ id }) => id),
  );
  const lastRuns = new Map<string, Run>(last.map((row) => [row.schedule_id, runOf(row)]));
  return rows.map((row) => scheduleOf(row, lastRuns.get(row.id) ?? null));
}

async function insistOnDelivery(queries: Queries, owner: string, delivery: ScheduleSpec['delivery']): Promise<void> {
  if (typeof delivery !== 'string') return;
  const rows = await queries.query<{ name: string }>('SELECT name FROM deliveries WHERE owner = ? ORDER BY name', [
    owner,
  ]);
  insist(rows.some(({ name }) => name === delivery) ? [] : [unknownDelivery(delivery, rows)]);
}

function insist(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new ProblemError(problems);
}

function inUse(name: string, users: readonly { name: string }[]): Problem {
  return {
    code: 'delivery-in-use',
    found: `the delivery ${name} is named by ${users.map((user) => user.name).join(', ')}`,
    fix: 'change or remove these schedules first',
  };
}

function unknownDelivery(name: string, rows: readonly { name: string }[]): Problem {
  return {
    code: 'unknown-delivery',
    path: ['delivery'],
    found: `no delivery ${name} is registered`,
    allowed: rows.map((row) => row.name).join(', ') || 'none yet',
    fix: 'register the delivery first',
  };
}

export function unknownSchedule(owner: string, name: string): Problem {
  return { code: 'unknown-schedule', found: `no schedule ${name} is registered for ${owner}` };
}
