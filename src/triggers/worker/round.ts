/** One look at the ledger: everything that is due now is begun. */
import { type Claim, claimWaiting } from '../ledger/claiming.ts';
import { expireLeases } from '../ledger/leases.ts';
import { flagLate, pendingWork } from '../ledger/pending.ts';
import { claimPolls } from '../ledger/polling.ts';
import { tickDue } from '../ledger/ticking.ts';
import type { Run } from '../model.ts';
import type { WorkerOptions } from './options.ts';
import { type Stopwatch, stopwatch } from './stopwatch.ts';
import type { Crew } from './taskPool.ts';

export interface Tasks {
  triggers: Crew;
  polls: Crew;
  alerts: Crew;
  trigger(claim: Claim, since: Stopwatch): Promise<void>;
  poll(run: Run): Promise<void>;
  alert(): Promise<void>;
  signal: AbortSignal;
}

/** How long another server's changes may go unseen. */
const idleMs = 1000;

/** How long there is nothing to do. What fails does not keep the rest from being begun. */
export async function round(options: WorkerOptions, tasks: Tasks): Promise<number> {
  const pending = await afterTicks(options, tasks);
  const { database, limits } = options;
  const failures: unknown[] = [];
  const step = async (isDue: boolean, work: () => unknown) => {
    if (!isDue || tasks.signal.aborted) return;
    try {
      await work();
    } catch (error) {
      failures.push(error);
    }
  };
  await step(pending.waiting && tasks.triggers.free > 0, async () => {
    const since = stopwatch();
    const claims = await claimWaiting(database, tasks.triggers.free, limits);
    for (const claim of claims) tasks.triggers.add(tasks.trigger(claim, since));
  });
  await step(pending.leases, () => expireLeases(database));
  await step(pending.late, () => flagLate(database));
  await step(pending.polls && tasks.polls.free > 0, async () => {
    for (const run of await claimPolls(database, tasks.polls.free)) tasks.polls.add(tasks.poll(run));
  });
  // Not waited for: who is told may take its time.
  await step(pending.alerts && tasks.alerts.free > 0, () => tasks.alerts.add(tasks.alert()));
  if (failures.length > 0) throw failures[0];
  return Math.min(idleMs, pending.nextTickInMs ?? idleMs);
}

async function afterTicks({ database, log }: WorkerOptions, { signal }: Tasks) {
  const pending = await pendingWork(database);
  if (!pending.ticks) return pending;
  for (let more = true; more && !signal.aborted; ) {
    const ticked = await tickDue(database);
    for (const unreadable of ticked.unreadable) log.warn(unreadable, 'the ticks of a schedule can not be told');
    more = ticked.more;
  }
  return pendingWork(database);
}
