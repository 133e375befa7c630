/** One round of the worker: reads the ledger once, and starts everything that is due. */
import { flagUndelivered } from '../ledger/arrivals.ts';
import { type Claim, claimWaiting } from '../ledger/claiming.ts';
import { correctClock } from '../ledger/clockCorrection.ts';
import { handleFailover } from '../ledger/failover.ts';
import { expireLeases } from '../ledger/leases.ts';
import { flagLate, type Pending, pendingWork } from '../ledger/pending.ts';
import { claimPolls, type PollClaim } from '../ledger/polling.ts';
import { tickDue } from '../ledger/ticking.ts';
import type { Database } from '../store/database.ts';
import { type Stopwatch, stopwatch } from './fire.ts';
import type { TaskPool } from './taskPool.ts';
import type { WorkerOptions } from './workerOptions.ts';

export interface Tasks {
  triggers: TaskPool;
  polls: TaskPool;
  alerts: TaskPool;
  trigger(claim: Claim, since: Stopwatch): Promise<void>;
  poll(claim: PollClaim): Promise<void>;
  alert(): Promise<void>;
  /** The runs that this server triggers now, by id. */
  own: Set<string>;
  signal: AbortSignal;
}

/** The longest time for which work that is open, or about to be, is left alone. */
const openMs = 1000;

/** The longest time for which an idle ledger is believed to have nothing to do. */
const idleMs = 60_000;

const lockedMs = 250;

/**
 * Returns how long nothing will be due, unless the store or its clock changes meanwhile. A step that fails does not stop the later steps.
 */
export async function runRound(options: WorkerOptions, tasks: Tasks): Promise<number> {
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
  const claim = async () => {
    const since = stopwatch();
    const claims = await claimWaiting(database, tasks.triggers.free, limits);
    for (const each of claims) {
      tasks.own.add(each.run.id);
      tasks.triggers.add(tasks.trigger(each, since).finally(() => tasks.own.delete(each.run.id)));
    }
  };
  // While many ticks become runs, the first runs are triggered already.
  const pending = await pendingAfterTicks(options, tasks, () => step(tasks.triggers.isHalfFree, claim));
  await step(pending.waiting && tasks.triggers.free > 0, claim);
  await step(pending.leases, () => expireLeases(database, tasks.own));
  await step(pending.late, () => flagLate(database));
  await step(pending.undelivered, () => flagUndelivered(database));
  await step(pending.polls && tasks.polls.free > 0, async () => {
    for (const run of await claimPolls(database, tasks.polls.free)) tasks.polls.add(tasks.poll(run));
  });
  // Alerts are not awaited, because their endpoint may be slow.
  await step(pending.alerts && tasks.alerts.free > 0, () => tasks.alerts.add(tasks.alert()));
  if (failures.length > 0) throw failures[0];
  // A tick that is still due has rows that others have locked.
  return Math.min(pending.isIdle ? idleMs : openMs, pending.ticks ? lockedMs : (pending.nextTickInMs ?? idleMs));
}

/** Calls `between` after each part of the ticks that is not the last. */
async function pendingAfterTicks(
  { database, log, health }: WorkerOptions,
  { signal }: Tasks,
  between: () => Promise<void>,
): Promise<Pending> {
  const pending = await pendingWithRightClock(database, log);
  health?.began(pending);
  if (!pending.ticks) return pending;
  for (let more = true; more && !signal.aborted; ) {
    const ticked = await tickDue(database);
    for (const unreadable of ticked.unreadable) log.warn(unreadable, 'cannot compute the next tick of a schedule');
    more = ticked.more;
    if (more) await between();
  }
  return pendingWork(database);
}

async function pendingWithRightClock(database: Database, log: WorkerOptions['log']): Promise<Pending> {
  if (await handleFailover(database))
    log.warn({}, 'the database has failed over: what was due is unknown, and is not fired');
  const pending = await pendingWork(database);
  if (!pending.isClockAhead) return pending;
  const correction = await correctClock(database);
  if (correction !== undefined) {
    const { recordedUntil, schedules } = correction;
    const fields = { recordedUntil: new Date(recordedUntil).toISOString(), schedules };
    log.warn(fields, 'the clock of the store was ahead; times in the future count as now, and schedules tick again');
  }
  return pendingWork(database);
}
