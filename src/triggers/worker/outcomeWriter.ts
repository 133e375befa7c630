/** Writes outcomes down, as many as have come together in one commit, and keeps at it while the store is away. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ledgerNow } from '../ledger/now.ts';
import { type Settled, settle } from '../ledger/outcomes.ts';
import type { RunState } from '../model.ts';
import type { Database } from '../store/database.ts';

export interface Settling {
  /** What the run is now; undefined where writing it down was given up. */
  add(settled: Settled): Promise<RunState | undefined>;
}

const againMs = 1000;

const gatherMs = 5;

interface Waiting {
  settled: Settled;
  done: (state: RunState | undefined) => void;
}

/** What is known of a trigger that was paid for must not be lost because the store is: it is kept until `givingUp`. */
export function createSettling(
  database: Database,
  onFailure: (error: unknown) => void,
  givingUp: AbortSignal,
): Settling {
  let waiting: Waiting[] = [];
  let isWriting = false;

  async function write(): Promise<void> {
    isWriting = true;
    // What comes in the same moment is written together, and synced once.
    await sleep(gatherMs);
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const left = await unwritten(batch);
      if (givingUp.aborted) for (const { done } of left) done(undefined);
      else if (left.length > 0) {
        await sleep(againMs, undefined, { signal: givingUp }).catch(() => undefined);
        waiting = [...left, ...waiting];
      }
    }
    isWriting = false;
  }

  /** One that can't be written must not hold up the others. */
  async function unwritten(batch: readonly Waiting[]): Promise<Waiting[]> {
    if (await written(batch)) return [];
    if (batch.length === 1 || !(await isThere(database))) return [...batch];
    const left: Waiting[] = [];
    for (const one of batch) if (!(await written([one]))) left.push(one);
    return left;
  }

  async function written(batch: readonly Waiting[]): Promise<boolean> {
    try {
      const states = await settle(
        database,
        batch.map(({ settled }) => settled),
      );
      for (const [index, { done }] of batch.entries()) done(states[index]);
    } catch (error) {
      onFailure(error);
      return false;
    }
    return true;
  }

  return {
    add(settled) {
      return new Promise((done) => {
        waiting.push({ settled, done });
        if (!isWriting) void write();
      });
    },
  };
}

function isThere(database: Database): Promise<boolean> {
  return ledgerNow(database, database).then(
    () => true,
    () => false,
  );
}
