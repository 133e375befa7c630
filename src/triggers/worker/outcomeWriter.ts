/** Writes outcomes to the ledger, those that arrive together in one commit, and retries while the store is unreachable. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ledgerNow } from '../ledger/now.ts';
import { type ClaimOutcome, recordOutcomes } from '../ledger/outcomes.ts';
import type { RunState } from '../model.ts';
import type { Database } from '../store/database.ts';

interface OutcomeWriter {
  /** Returns the new state of the run; undefined if writing was given up. */
  write(outcome: ClaimOutcome): Promise<RunState | undefined>;
}

const retryMs = 1000;

const gatherMs = 5;

interface Queued {
  outcome: ClaimOutcome;
  done: (state: RunState | undefined) => void;
}

/** Keeps outcomes until they are written or `givingUp` aborts: the outcome of a billed trigger must survive a store outage. */
export function createOutcomeWriter(
  database: Database,
  onFailure: (error: unknown) => void,
  givingUp: AbortSignal,
): OutcomeWriter {
  let queue: Queued[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    isWriting = true;
    // Outcomes of the same moment share one commit, and one sync to disk.
    await sleep(gatherMs);
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      const failed = await writeBatch(batch);
      if (givingUp.aborted) for (const { done } of failed) done(undefined);
      else if (failed.length > 0) {
        await sleep(retryMs, undefined, { signal: givingUp }).catch(() => undefined);
        queue = [...failed, ...queue];
      }
    }
    isWriting = false;
  }

  /** Returns the outcomes that were not written. An outcome that cannot be written must not hold up the others. */
  async function writeBatch(batch: readonly Queued[]): Promise<Queued[]> {
    if (await tryWrite(batch)) return [];
    const isReachable = await ledgerNow(database, database).then(
      () => true,
      () => false,
    );
    if (batch.length === 1 || !isReachable) return [...batch];
    const failed: Queued[] = [];
    for (const one of batch) if (!(await tryWrite([one]))) failed.push(one);
    return failed;
  }

  async function tryWrite(batch: readonly Queued[]): Promise<boolean> {
    try {
      const states = await recordOutcomes(
        database,
        batch.map(({ outcome }) => outcome),
      );
      for (const [index, { done }] of batch.entries()) done(states[index]);
    } catch (error) {
      onFailure(error);
      return false;
    }
    return true;
  }

  return {
    write: (outcome) =>
      new Promise((done) => {
        queue.push({ outcome, done });
        if (!isWriting) void writeAll();
      }),
  };
}
