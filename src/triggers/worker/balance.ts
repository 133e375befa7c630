/** Compares the balance of the account with what the schedules cost in the next 24 hours, every six hours on all servers together. */
import type { Problem } from '../../base/diagnostics/problem.ts';
import { type ScheduleSpec, timingOf } from '../declared/scheduleSpec.ts';
import { ledgerNow } from '../ledger/now.ts';
import type { Database } from '../store/database.ts';
import { costOfNextDay, moneyText } from '../timing/prices.ts';
import type { WorkerOptions } from './workerOptions.ts';

const everyMs = 6 * 60 * 60_000;

/** Returns the problem of a balance that is too low. Without prices, or if the service does not show the balance, nothing is known. */
export async function lowBalance({ database, client, prices }: WorkerOptions): Promise<Problem | undefined> {
  const now = await ledgerNow(database);
  if (prices === undefined || !(await isDue(database, now))) return undefined;
  const rows = await database.query<{ target: string; brief: string }>(
    'SELECT target, brief FROM schedules WHERE paused = 0',
  );
  const schedules = rows.map(({ target, brief }) => ({ target, timing: timingOf(JSON.parse(brief) as ScheduleSpec) }));
  const cost = costOfNextDay(schedules, prices, now);
  if (cost === undefined) return undefined;
  const found = await client.account.balance();
  // Only an answer counts: after a failure, the balance is asked for again at the next look.
  if (!(await claim(database, now)) || found === undefined || found.balance >= cost) return undefined;
  return {
    code: 'low-balance',
    found: `the balance is ${moneyText(found.balance, prices)}, and the schedules cost ${moneyText(cost, prices)} in the next 24 hours`,
    fix: 'add funds, or pause schedules',
  };
}

/** A time in the future is that of a clock that was ahead. */
const isOver = '(meta.value <= ? OR meta.value > ?)';

async function isDue(database: Database, now: number): Promise<boolean> {
  const asked = await database.query(`SELECT key FROM meta WHERE key = 'balance_asked_at' AND NOT ${isOver}`, [
    now - everyMs,
    now,
  ]);
  return asked.length === 0;
}

/** Returns true on one server, once in each period. */
async function claim(database: Database, now: number): Promise<boolean> {
  const claimed = await database.query(
    `INSERT INTO meta (key, value) VALUES ('balance_asked_at', ?)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE ${isOver} RETURNING key`,
    [now, now - everyMs, now],
  );
  return claimed.length > 0;
}
