/**
 * Decides when a resource may write: once the program has declared its resources. An engine lets a resource be created as soon as it is declared, and
 * no call of its protocol says that it was the last one, so only silence shows it.
 */
import { setTimeout } from 'node:timers/promises';

export interface Declaring {
  /** Runs a check or a diff: the program is still declaring resources. */
  declare<T>(action: () => Promise<T>): Promise<T>;
  /** Resolves once the program has stopped declaring resources. */
  quiet(): Promise<void>;
  /**
   * Runs a write once the program has stopped declaring resources. A result that `mayWait` for another resource is tried again after each
   * declaration or write of another one.
   */
  write<T>(action: () => Promise<T>, mayWait: (result: T) => boolean): Promise<T>;
}

/** A program declares independent resources at the same moment. Writing starts when nothing was declared for this long. */
const quietMs = 150;
/** While no resource writes, a resource waits this long for another declaration that could provide the IPs or registrations that it needs. */
const patienceMs = 1_000;
const pollMs = 25;

export function createDeclaring(): Declaring {
  let [declaring, writing, lastDeclared] = [0, 0, 0];
  /** The number of declarations and finished writes: each may help a resource that waits. */
  let events = 0;

  async function waitWhile(condition: () => boolean): Promise<void> {
    while (condition()) await setTimeout(pollMs);
  }

  const isDeclaring = () => declaring > 0 || Date.now() - lastDeclared < quietMs;

  async function hasNextEvent(seen: number): Promise<boolean> {
    const start = Date.now();
    await waitWhile(() => events === seen && (writing > 0 || Date.now() - Math.max(start, lastDeclared) < patienceMs));
    return events > seen;
  }

  return {
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
    quiet: () => waitWhile(isDeclaring),
    async write(action, mayWait) {
      for (;;) {
        await waitWhile(isDeclaring);
        const seen = events;
        writing++;
        const result = await action().finally(() => writing--);
        if (!mayWait(result)) {
          events++;
          return result;
        }
        if (!(await hasNextEvent(seen))) return result;
      }
    },
  };
}
