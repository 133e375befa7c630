/** Fires one tick for another scheduler. The ledger decides whether this process or another one sends the request. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ScheduledRun } from '../api/runs.ts';
import { type ActiveRunLimits, type Claim, claimWaiting } from '../ledger/claiming.ts';
import { correctClock } from '../ledger/clockCorrection.ts';
import { claimTick } from '../ledger/externalTick.ts';
import { expireLeases } from '../ledger/leases.ts';
import { recordOutcomes } from '../ledger/outcomes.ts';
import { claimPolls, type PolledRun, recordPolls } from '../ledger/polling.ts';
import { startSending } from '../ledger/preparing.ts';
import { runById } from '../ledger/scheduleRegistry.ts';
import type { Database } from '../store/database.ts';
import { type FiringDependencies, fire, type Stopwatch, stopwatch } from './fire.ts';
import { createLedgerWriter } from './ledgerWriter.ts';
import { pollJob } from './pollJob.ts';

interface TickOptions extends Omit<FiringDependencies, 'startSending'> {
  database: Database;
  limits: ActiveRunLimits;
  signal?: AbortSignal;
}

interface FiredTick {
  run: ScheduledRun;
  /** True if this process made the run; false if the tick already had one. */
  isNew: boolean;
}

const pollLedgerMs = 500;

const maxPolls = 10;

/** The time to retry recording the outcome: as long as a person or a scheduler can be expected to wait. */
const storeAwayMs = 5 * 60_000;

/** Returns when the run no longer waits: it is triggered, has failed, or is unknown. Returns undefined if no tick was due. @throws ProblemError */
export async function fireTick(
  owner: string,
  name: string,
  tick: number | 'now',
  options: TickOptions,
): Promise<FiredTick | undefined> {
  const { database, limits, signal } = options;
  await correctClock(database);
  const claimed = await claimTick(database, owner, name, tick);
  if (claimed === undefined) return undefined;
  const dependencies = { ...options, startSending: (claim: Claim) => startSending(database, claim) };
  let { run } = claimed;
  while (run.state === 'waiting' || run.state === 'triggering') {
    // The process that holds the lease may have died, and there may be no server that notices.
    await expireLeases(database);
    await pollEarlierRuns(run, options);
    const since = stopwatch();
    const [claim] = await claimWaiting(database, 1, limits, run.id);
    if (claim === undefined) await sleep(pollLedgerMs, undefined, { signal });
    else await sendAndRecord(claim, since, dependencies, database);
    run = await runById(database, run.id);
  }
  return { run, isNew: claimed.isNew };
}

/** Polls earlier runs of the schedule: one that has ended must not block this one, and there may be no server that polls. */
async function pollEarlierRuns(
  { owner, schedule }: ScheduledRun,
  { database, client, signal }: TickOptions,
): Promise<void> {
  const record = (polled: PolledRun) => recordPolls(database, [polled]);
  for (const earlier of await claimPolls(database, maxPolls, { owner, schedule })) {
    await pollJob(earlier, { database, client, signal: signal ?? new AbortController().signal, record });
  }
}

/** @throws Error with the outcome if the store stays unreachable */
async function sendAndRecord(
  claim: Claim,
  since: Stopwatch,
  dependencies: FiringDependencies,
  database: Database,
): Promise<void> {
  const outcome = await fire(claim, since, dependencies);
  let cause: unknown;
  const onFailure = (error: unknown) => {
    cause = error;
  };
  const givingUp = AbortSignal.timeout(storeAwayMs);
  const writer = createLedgerWriter({ database, record: recordOutcomes, expected: () => 1, onFailure, givingUp });
  if (await writer.write({ claim, outcome })) return;
  const result = outcome.status === 'accepted' ? `was accepted as ${outcome.collectionId}` : outcome.text;
  throw new Error(`${claim.run.id} ${result}, but recording this in the store failed`, { cause });
}
