/** Decides when a resource may write: after the program has declared its resources, and one at a time for each concurrency key. */
import { setTimeout } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Lock } from './sharedLock.ts';

export interface WriteScheduler {
  /** Returns true once this process may have written anything. Live state that was read before is then out of date. */
  hasWritten(): boolean;
  /** Runs a check or a diff: the program is still declaring resources. */
  declare<T>(action: () => Promise<T>): Promise<T>;
  /** Runs a read while no resource with the same concurrency key writes. */
  read<T>(concurrencyKey: string, action: () => Promise<T>): Promise<T>;
  /**
   * Runs a write once the program has stopped declaring resources. If the action fails and `mayWait` holds for the error, it is tried again
   * after each declaration or write of another resource. `lost` aborts when another process has taken over the machine's lock.
   */
  write<T>(
    concurrencyKey: string,
    action: (lost: AbortSignal) => Promise<T>,
    mayWait: (error: unknown) => boolean,
  ): Promise<T>;
}

/** A program declares independent resources at the same moment. Writing starts when nothing was declared for this long. */
const quietMs = 150;
/** While no resource writes, a resource waits this long for another declaration that could provide the IPs or registrations that it needs. */
const patienceMs = 1_000;
const pollMs = 25;
const lostWhileWaiting = Symbol('the lock was lost while the write waited for its turn');

export function createWriteScheduler(withLock: Lock): WriteScheduler {
  const queues = new Map<string, LimitFunction>();
  let [declaring, writing, lastDeclared] = [0, 0, 0];
  /** The number of declarations and finished writes: each may help a resource that waits. */
  let events = 0;
  let hasWritten = false;

  const inTurn = <T>(concurrencyKey: string, action: () => Promise<T>): Promise<T> => {
    const queue = queues.get(concurrencyKey) ?? pLimit(1);
    queues.set(concurrencyKey, queue);
    return queue(action);
  };

  async function waitWhile(condition: () => boolean): Promise<void> {
    while (condition()) await setTimeout(pollMs);
  }

  const isDeclaring = () => declaring > 0 || Date.now() - lastDeclared < quietMs;

  async function hasNextEvent(seen: number): Promise<boolean> {
    const start = Date.now();
    await waitWhile(() => events === seen && (writing > 0 || Date.now() - Math.max(start, lastDeclared) < patienceMs));
    return events > seen;
  }

  /** Writes that wait for their turn keep the lock, so that what one of them has read holds for the next. */
  async function attempt<T>(concurrencyKey: string, action: (lost: AbortSignal) => Promise<T>): Promise<T> {
    writing++;
    try {
      for (;;) {
        const result = await withLock((lost) =>
          inTurn(concurrencyKey, async () => {
            if (lost.aborted) return lostWhileWaiting;
            hasWritten = true;
            return action(lost);
          }),
        );
        if (result !== lostWhileWaiting) return result;
      }
    } finally {
      writing--;
    }
  }

  return {
    hasWritten: () => hasWritten,
    async declare(action) {
      declaring++;
      try {
        return await action();
      } finally {
        declaring--;
        events++;
        lastDeclared = Date.now();
      }
    },
    read: inTurn,
    async write(concurrencyKey, action, mayWait) {
      for (;;) {
        await waitWhile(isDeclaring);
        const seen = events;
        try {
          const result = await attempt(concurrencyKey, action);
          events++;
          return result;
        } catch (error) {
          if (!mayWait(error) || !(await hasNextEvent(seen))) throw error;
        }
      }
    },
  };
}
