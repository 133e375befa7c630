/** Compares the balance of the account with what the schedules cost in the next 24 hours, every six hours on all servers together. */
import type { Problem } from '../../base/diagnostics/problem.ts';
import { type ScheduleSpec, timingOf } from '../declared/scheduleSpec.ts';
import { ledgerNow } from '../ledger/now.ts';
import type { Database } from '../store/database.ts';
import { costOfNextDay, moneyText } from '../timing/prices.ts';
import type { WorkerOptions } from './round.ts';

const everyMs = 6 * 60 * 60_000;

/** Returns the problem of a balance that is too low. Without prices, or if the service does not show the balance, nothing is known. */
export async function lowBalance({ database, client, prices }: WorkerOptions): Promise<Problem | undefined> {
  if (prices === undefined || !(await isDue(database))) return undefined;
  const rows = await database.query<{ target: string; brief: string }>(
    'SELECT target, brief FROM schedules WHERE paused = 0',
  );
  const schedules = rows.map(({ target, brief }) => ({ target, timing: timingOf(JSON.parse(brief) as ScheduleSpec) }));
  const cost = costOfNextDay(schedules, prices, await ledgerNow(database));
  const found = cost === undefined ? undefined : await client.account.balance();
  if (cost === undefined || found === undefined || found.balance >= cost) return undefined;
  return {
    code: 'low-balance',
    found: `the balance is ${moneyText(found.balance, prices)}, and the schedules cost ${moneyText(cost, prices)} in the next 24 hours`,
    fix: 'add funds, or pause schedules',
  };
}

/** Returns true on one server, once in each period. */
async function isDue(database: Database): Promise<boolean> {
  const now = await ledgerNow(database);
  const claimed = await database.query(
    `INSERT INTO meta (key, value) VALUES ('balance_asked_at', ?)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE meta.value <= ? RETURNING key`,
    [now, now - everyMs],
  );
  return claimed.length > 0;
}
