/** One tick, fired by a process that another scheduler started: the ledger decides whether it is this one that sends it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Claim, claimWaiting, type Limits } from '../ledger/claiming.ts';
import { claimTick } from '../ledger/externalTick.ts';
import { expireLeases } from '../ledger/leases.ts';
import { claimPolls } from '../ledger/polling.ts';
import { startSending } from '../ledger/preparing.ts';
import { runById } from '../ledger/registry.ts';
import type { Run } from '../model.ts';
import type { Sealer } from '../secrets/secrets.ts';
import type { Database } from '../store/database.ts';
import { type Firing, fire } from './fire.ts';
import { createSettling } from './outcomeWriter.ts';
import { pollJob } from './pollJob.ts';
import { type Stopwatch, stopwatch } from './stopwatch.ts';

export interface TickOptions extends Omit<Firing, 'startSending'> {
  database: Database;
  sealer: Sealer;
  limits: Limits;
  signal?: AbortSignal;
}

export interface FiredTick {
  run: Run;
  /** Whether this process made the run; false where the tick had one already. */
  isNew: boolean;
}

const lookAgainMs = 500;

/** Until the run is no longer waiting: it is triggered, or can't be, or is not known to be. Undefined where nothing was due. @throws ProblemError */
export async function fireTick(
  owner: string,
  name: string,
  tick: number | 'now',
  options: TickOptions,
): Promise<FiredTick | undefined> {
  const { database, limits, signal } = options;
  const claimed = await claimTick(database, owner, name, tick);
  if (claimed === undefined) return undefined;
  const firing = { ...options, startSending: (claim: Claim) => startSending(database, claim) };
  let { run } = claimed;
  while (run.state === 'waiting' || run.state === 'triggering') {
    // Whoever holds it may have died, and there need be no server that finds out.
    await expireLeases(database);
    await askAboutEarlier(run, options);
    const since = stopwatch();
    const [claim] = await claimWaiting(database, 1, limits, run.id);
    if (claim === undefined) await sleep(lookAgainMs, undefined, { signal });
    else await sendAndSettle(claim, since, firing, database);
    run = await runById(database, run.id);
  }
  return { run, isNew: claimed.isNew };
}

/** Runs that ended may stand in the way of this one, and there need be no server that asks about them. */
async function askAboutEarlier({ owner, schedule }: Run, { database, client, signal }: TickOptions): Promise<void> {
  for (const earlier of await claimPolls(database, mostAsked, { owner, schedule })) {
    await pollJob(earlier, { database, client, signal: signal ?? new AbortController().signal });
  }
}

const mostAsked = 10;

/** As long as a person, or a scheduler, may be expected to wait. */
const storeAwayMs = 5 * 60_000;

/** @throws where the store stays away, with what has to be known */
async function sendAndSettle(claim: Claim, since: Stopwatch, firing: Firing, database: Database): Promise<void> {
  const outcome = await fire(claim, since, firing);
  let why: unknown;
  const onFailure = (error: unknown) => {
    why = error;
  };
  const settling = createSettling(database, onFailure, AbortSignal.timeout(storeAwayMs));
  if (await settling.add({ claim, outcome })) return;
  const became = outcome.as === 'accepted' ? `was accepted as ${outcome.collectionId}` : outcome.text;
  throw new Error(`${claim.run.id} ${became}, and this could not be written down`, { cause: why });
}
