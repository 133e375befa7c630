/** One look at the ledger: everything that is due now is begun. */
import { type Claim, claimWaiting, expireLeases } from '../ledger/claiming.ts';
import { flagLate, pendingWork } from '../ledger/pending.ts';
import { claimPolls } from '../ledger/polling.ts';
import { tickDue } from '../ledger/ticking.ts';
import type { Run } from '../model.ts';
import { sendAlerts } from './alerts.ts';
import type { Crew } from './crew.ts';
import type { WorkerOptions } from './worker.ts';

export interface Tasks {
  triggers: Crew;
  polls: Crew;
  /** `claimedAt` is by this process's own clock, which nobody moves. */
  trigger(claim: Claim, claimedAt: number): Promise<void>;
  poll(run: Run): Promise<void>;
  signal: AbortSignal;
}

/** How long another server's changes may go unseen. */
const idleMs = 1000;

/** How long there is nothing to do. */
export async function round(options: WorkerOptions, tasks: Tasks): Promise<number> {
  const pending = await afterTicks(options);
  const { database, limits, sealer } = options;
  if (pending.leases) await expireLeases(database);
  if (pending.late) await flagLate(database);
  if (pending.waiting && tasks.triggers.free > 0) {
    const claimedAt = performance.now();
    const claims = await claimWaiting(database, tasks.triggers.free, limits);
    for (const claim of claims) tasks.triggers.add(tasks.trigger(claim, claimedAt));
  }
  if (pending.polls && tasks.polls.free > 0) {
    for (const run of await claimPolls(database, tasks.polls.free)) tasks.polls.add(tasks.poll(run));
  }
  if (pending.alerts) await sendAlerts(database, sealer, tasks.signal);
  return Math.min(idleMs, pending.nextTickInMs ?? idleMs);
}

async function afterTicks({ database }: WorkerOptions) {
  const pending = await pendingWork(database);
  if (!pending.ticks) return pending;
  while ((await tickDue(database)).more);
  return pendingWork(database);
}
