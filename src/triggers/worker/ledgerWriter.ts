/** Writes results to the ledger, those that arrive together in one commit, and retries while the store is unreachable. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ledgerNow } from '../ledger/now.ts';
import type { Database } from '../store/database.ts';

interface LedgerWriter<Item, Written> {
  /** Returns what was written; undefined if writing was given up. */
  write(item: Item): Promise<Written | undefined>;
}

interface WriterOptions<Item, Written> {
  database: Database;
  /** Writes all items in one commit, and returns what it has written for each of them. */
  record(database: Database, items: readonly Item[]): Promise<readonly Written[]>;
  /** Returns the number of items that are queued or on their way. */
  expected(): number;
  onFailure(error: unknown): void;
  /** Ends retrying: items that cannot be written are then dropped. */
  givingUp: AbortSignal;
}

const retryMs = 1000;

const gatherMs = 20;

interface Queued<Item, Written> {
  item: Item;
  done: (written: Written | undefined) => void;
}

/** Keeps items until they are written or `givingUp` aborts: the outcome of a billed trigger must survive a store outage. */
export function createLedgerWriter<Item, Written>({
  database,
  record,
  expected,
  onFailure,
  givingUp,
}: WriterOptions<Item, Written>): LedgerWriter<Item, Written> {
  type Entry = Queued<Item, Written>;
  let queue: Entry[] = [];
  let isWriting = false;
  let onQueued = () => {};

  /** Waits for half of the expected items, but not long: they share one commit, and one sync to disk. */
  function gathered(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, gatherMs);
    onQueued = () => {
      if (queue.length < expected() / 2) return;
      clearTimeout(timer);
      resolve();
    };
    onQueued();
    return promise;
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (queue.length > 0) {
      await gathered();
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

  /** Returns the items that were not written. An item that cannot be written must not hold up the others. */
  async function writeBatch(batch: readonly Entry[]): Promise<Entry[]> {
    if (await tryWrite(batch)) return [];
    const isReachable = await ledgerNow(database).then(
      () => true,
      () => false,
    );
    if (batch.length === 1 || !isReachable) return [...batch];
    const failed: Entry[] = [];
    for (const one of batch) if (!(await tryWrite([one]))) failed.push(one);
    return failed;
  }

  async function tryWrite(batch: readonly Entry[]): Promise<boolean> {
    try {
      const written = await record(
        database,
        batch.map(({ item }) => item),
      );
      for (const [index, { done }] of batch.entries()) done(written[index]);
    } catch (error) {
      onFailure(error);
      return false;
    }
    return true;
  }

  return {
    write: (item) =>
      new Promise((done) => {
        queue.push({ item, done });
        onQueued();
        if (!isWriting) void writeAll();
      }),
  };
}
