/** A task pool with a fixed capacity; only shutdown waits for it to drain. */
export interface TaskPool {
  readonly running: number;
  /** The number of tasks that were ever added. */
  readonly added: number;
  readonly free: number;
  readonly isHalfFree: boolean;
  add(task: Promise<void>): void;
  /** Resolves when at least half of the capacity is free. */
  halfFree(): Promise<void>;
  /** Resolves when all tasks that run now have ended. */
  drained(): Promise<void>;
}

export function createTaskPool(capacity: number, onEnd: () => void, onFailure: (error: unknown) => void): TaskPool {
  const running = new Set<Promise<void>>();
  let added = 0;
  const isHalfFree = () => running.size <= capacity / 2;
  let half = Promise.withResolvers<void>();
  return {
    get running() {
      return running.size;
    },
    get added() {
      return added;
    },
    get free() {
      return capacity - running.size;
    },
    get isHalfFree() {
      return isHalfFree();
    },
    add(task) {
      added += 1;
      const tracked = task.catch(onFailure).finally(() => {
        running.delete(tracked);
        if (isHalfFree()) half.resolve();
        onEnd();
      });
      running.add(tracked);
    },
    async halfFree() {
      if (isHalfFree()) return;
      half = Promise.withResolvers<void>();
      await half.promise;
    },
    async drained() {
      await Promise.all(running);
    },
  };
}
