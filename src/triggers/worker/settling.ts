/** Writes outcomes down, as many as have come together in one commit, and keeps at it while the store is away. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Settled, settle } from '../ledger/outcomes.ts';
import type { Database } from '../store/database.ts';

export interface Settling {
  /** Resolves once it is written down. */
  add(settled: Settled): Promise<void>;
}

const againMs = 1000;

export function createSettling(database: Database, onFailure: (error: unknown) => void): Settling {
  let waiting: { settled: Settled; done: () => void }[] = [];
  let isWriting = false;

  async function write(): Promise<void> {
    isWriting = true;
    // What comes in the same moment is written together.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await untilWritten(batch.map(({ settled }) => settled));
      for (const { done } of batch) done();
    }
    isWriting = false;
  }

  /** What is known of a trigger that was paid for must not be lost because the store is. */
  async function untilWritten(batch: readonly Settled[]): Promise<void> {
    for (;;) {
      try {
        return await settle(database, batch);
      } catch (error) {
        onFailure(error);
        await sleep(againMs);
      }
    }
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
