/** Runs tasks in their order, and in parallel where the order does not matter. */

interface OrderedTasks<T> {
  parallelism: number;
  /** A task begins when no earlier task with one of its keys is waiting or running. */
  keysOf(item: T): readonly string[];
  run(item: T, queue: TaskQueue): Promise<void>;
}

export interface TaskQueue {
  /** Lets no further task with one of these keys begin, nor one that waits for such a task. */
  block(keys: readonly string[]): void;
  /** Lets no further task begin, from this moment on. A task that fails does the same when its promise rejects. */
  stop(): void;
  isStopped(): boolean;
  /** True if a task has not begun yet. */
  isAnyWaiting(): boolean;
}

/** Resolves when no task is running any more. @throws the error of the first task that failed */
export async function runInOrder<T>(items: readonly T[], { parallelism, keysOf, run }: OrderedTasks<T>): Promise<void> {
  const waiting = items.map((item) => ({ item, keys: keysOf(item) }));
  const running = new Map<Promise<void>, readonly string[]>();
  const errors: unknown[] = [];
  const blocked = new Set<string>();
  let isStopped = false;
  const stop = () => {
    isStopped = true;
  };
  const block = (keys: readonly string[]) => {
    for (const key of keys) blocked.add(key);
  };
  const queue: TaskQueue = { block, stop, isStopped: () => isStopped, isAnyWaiting: () => waiting.length > 0 };

  const indexOfNext = () => {
    const taken = new Set([...blocked, ...[...running.values()].flat()]);
    return waiting.findIndex(({ keys }) => {
      const isFree = !keys.some((key) => taken.has(key));
      for (const key of keys) taken.add(key);
      return isFree;
    });
  };

  for (;;) {
    const next = isStopped || running.size >= parallelism ? -1 : indexOfNext();
    const [begun] = next === -1 ? [] : waiting.splice(next, 1);
    if (begun !== undefined) {
      const task = run(begun.item, queue)
        .catch((error: unknown) => {
          stop();
          errors.push(error);
        })
        .finally(() => running.delete(task));
      running.set(task, begun.keys);
    } else if (running.size > 0) await Promise.race(running.keys());
    else break;
  }
  if (errors.length > 0) throw errors[0];
}
