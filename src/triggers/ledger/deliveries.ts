/** Registers deliveries, each whole or not at all, and with sealed secrets. */
import { assertNoProblems, type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import type { RecordKey, RegisteredDelivery } from '../api/records.ts';
import type { DeliverySpec } from '../declared/deliverySpec.ts';
import type { ScheduleSpec } from '../declared/scheduleSpec.ts';
import type { Sealer } from '../secrets/secrets.ts';
import type { Database, Queries } from '../store/database.ts';
import { ledgerNow } from './now.ts';
import { type DeliveryRow, deliveryOf } from './rows.ts';

/** Returns the problems of a valid spec that the operator of the service does not allow. */
export type Policy = (spec: DeliverySpec | ScheduleSpec) => Problem[];

export interface Registration {
  database: Database;
  sealer: Sealer;
  policy: Policy;
}

export async function putDelivery(
  { database, sealer, policy }: Registration,
  { owner, name }: RecordKey,
  spec: DeliverySpec,
): Promise<RegisteredDelivery> {
  assertNoProblems([...nameProblems(name), ...policy(spec)]);
  const stored = JSON.stringify(sealer.seal(spec));
  return database.transaction(async (queries) => {
    const now = await ledgerNow(queries);
    const [row] = await queries.query<DeliveryRow>(
      `INSERT INTO deliveries (owner, name, spec, changed_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (owner, name) DO UPDATE SET spec = excluded.spec, changed_at = excluded.changed_at RETURNING *`,
      [owner, name, stored, now],
    );
    if (row === undefined) throw new TypeError('the written delivery is missing');
    return deliveryOf(row);
  });
}

export async function deleteDelivery(database: Database, { owner, name }: RecordKey): Promise<undefined> {
  return database.transaction(async (queries): Promise<undefined> => {
    if (!(await lockedDelivery(queries, owner, name)))
      throw new ProblemError([{ code: 'unknown-delivery', found: `delivery ${name} is not registered for ${owner}` }]);
    const users = await queries.query<{ name: string }>(
      'SELECT name FROM schedules WHERE owner = ? AND delivery = ? ORDER BY name',
      [owner, name],
    );
    if (users.length > 0) {
      const found = `delivery ${name} is used by ${users.map((schedule) => schedule.name).join(', ')}`;
      throw new ProblemError([{ code: 'delivery-in-use', found, fix: 'change or delete these schedules first' }]);
    }
    await queries.query('DELETE FROM deliveries WHERE owner = ? AND name = ?', [owner, name]);
  });
}

/** Locks the delivery too, so that it cannot be deleted before the schedule that names it is stored. */
export async function assertDelivery(
  queries: Queries,
  owner: string,
  delivery: ScheduleSpec['delivery'],
): Promise<void> {
  if (typeof delivery !== 'string' || (await lockedDelivery(queries, owner, delivery))) return;
  const rows = await queries.query<{ name: string }>('SELECT name FROM deliveries WHERE owner = ? ORDER BY name', [
    owner,
  ]);
  const found = `delivery ${delivery} is not registered`;
  const allowed = rows.map(({ name }) => name).join(', ') || 'none yet';
  const fix = 'register the delivery first';
  throw new ProblemError([{ code: 'unknown-delivery', path: ['delivery'], found, allowed, fix }]);
}

async function lockedDelivery(queries: Queries, owner: string, name: string): Promise<boolean> {
  const rows = await queries.query(`SELECT name FROM deliveries WHERE owner = ? AND name = ? ${queries.dialect.lock}`, [
    owner,
    name,
  ]);
  return rows.length > 0;
}

/** The same rule as in declarations. `after=owner/name` continues a list, and owners may contain slashes, so names must not. */
export function nameProblems(name: string): Problem[] {
  if (/^[A-Za-z0-9][\w.-]*$/.test(name)) return [];
  const found = `the name ${JSON.stringify(name)}`;
  const allowed = 'letters, digits, ".", "_" and "-", beginning with a letter or a digit';
  return [{ code: 'wrong-record-name', found, allowed, fix: 'use another name' }];
}
