/** A lock that the writes of one process hold together: they take turns among themselves, and another process waits for all of them. */

export type Lock = <T>(action: (lost: AbortSignal) => Promise<T>) => Promise<T>;

interface Held {
  lost: AbortSignal;
  /** Resolves when the lock is free again. If that fails, the lock expires by itself. */
  release(): Promise<void>;
}

/**
 * Takes the lock for the first action, and releases it after the last one. A lock that was lost is taken again for later actions.
 */
export function sharedLock(lock: Lock): Lock {
  let current: { holders: number; held: Promise<Held> } | undefined;
  let releasing: Promise<void> = Promise.resolve();

  return async (action) => {
    for (;;) {
      await releasing;
      current ??= { holders: 0, held: take(lock) };
      const mine = current;
      mine.holders++;
      try {
        const { lost } = await mine.held;
        if (!lost.aborted) return await action(lost);
        if (current === mine) current = undefined;
      } finally {
        mine.holders--;
        if (mine.holders === 0) {
          if (current === mine) current = undefined;
          releasing = mine.held.then(({ release }) => release()).catch(() => undefined);
          await releasing;
        }
      }
    }
  };
}

/** @throws what the lock throws if it cannot be taken */
function take(lock: Lock): Promise<Held> {
  return new Promise((done, failed) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const ended: Promise<void> = Promise.resolve().then(() =>
      lock((lost) => {
        done({
          lost,
          release() {
            release();
            return ended;
          },
        });
        return released;
      }),
    );
    ended.catch(failed);
  });
}
