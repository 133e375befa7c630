/** A task pool with a fixed capacity; only shutdown waits for it to drain. */
export interface TaskPool {
  readonly free: number;
  add(task: Promise<void>): void;
  /** Resolves when all tasks that run now have ended. */
  drained(): Promise<void>;
}

export function createTaskPool(capacity: number, onEnd: () => void, onFailure: (error: unknown) => void): TaskPool {
  const running = new Set<Promise<void>>();
  return {
    get free() {
      return capacity - running.size;
    },
    add(task) {
      const tracked = task.catch(onFailure).finally(() => {
        running.delete(tracked);
        onEnd();
      });
      running.add(tracked);
    },
    async drained() {
      await Promise.all(running);
    },
  };
}
