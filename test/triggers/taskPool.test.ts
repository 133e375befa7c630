/** The pool of tasks that run at the same time: how many are free, and who waits for them. */
import { expect, it } from 'vitest';
import { createTaskPool } from '../../src/triggers/worker/taskPool.ts';

const turn = () => new Promise((done) => setTimeout(done, 0));

function pool(capacity: number) {
  const [ended, failed]: [number[], unknown[]] = [[], []];
  const made = createTaskPool(
    capacity,
    () => void ended.push(made.free),
    (error) => void failed.push(error),
  );
  const start = () => {
    const task = Promise.withResolvers<void>();
    made.add(task.promise);
    return task;
  };
  return { pool: made, ended, failed, start };
}

/** Returns whether a promise is settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  await turn();
  return settled;
}

it('frees a place when a task ends, before it reports the end', async () => {
  const { pool: tasks, ended, failed, start } = pool(2);
  expect(tasks.free).toBe(2);
  const [first, second] = [start(), start()];
  expect(tasks.free).toBe(0);
  first.resolve();
  await turn();
  expect({ free: tasks.free, ended, failed }).toEqual({ free: 1, ended: [1], failed: [] });
  second.resolve();
  await turn();
  expect({ free: tasks.free, ended }).toEqual({ free: 2, ended: [1, 2] });
});

it('reports a task that fails, and frees its place', async () => {
  const { pool: tasks, ended, failed, start } = pool(1);
  start().reject(new Error('away'));
  await turn();
  expect({ free: tasks.free, ended, failed }).toEqual({ free: 1, ended: [1], failed: [new Error('away')] });
});

it('is half free at once while at most half of it is taken', async () => {
  const { pool: tasks, start } = pool(4);
  expect(await isSettled(tasks.halfFree())).toBe(true);
  start();
  start();
  expect(await isSettled(tasks.halfFree())).toBe(true);
  expect(tasks.isHalfFree).toBe(true);
  start();
  expect(await isSettled(tasks.halfFree())).toBe(false);
  expect(tasks.isHalfFree).toBe(false);
});

it('is half free when enough tasks have ended, each time anew', async () => {
  const { pool: tasks, start } = pool(4);
  for (const _ of [1, 2]) {
    const running = [start(), start(), start(), start()];
    const half = tasks.halfFree();
    running[0]?.resolve();
    expect(await isSettled(half)).toBe(false);
    running[1]?.resolve();
    expect(await isSettled(half)).toBe(true);
    for (const { resolve } of running) resolve();
    await turn();
  }
});

it('is drained when all tasks have ended, whether they failed or not', async () => {
  const { pool: tasks, start } = pool(4);
  expect(await isSettled(tasks.drained())).toBe(true);
  const [good, bad] = [start(), start()];
  const drained = tasks.drained();
  good.resolve();
  expect(await isSettled(drained)).toBe(false);
  bad.reject(new Error('away'));
  expect(await isSettled(drained)).toBe(true);
});
