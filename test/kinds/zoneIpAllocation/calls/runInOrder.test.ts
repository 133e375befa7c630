import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runInOrder } from '../../../../src/kinds/zoneIpAllocation/calls/runInOrder.ts';

interface Task {
  index: number;
  keys: string[];
  ticks: number;
  ending: 'goes on' | 'stops' | 'fails';
}

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const tasks: fc.Arbitrary<Task[]> = fc
  .array(
    fc.record({
      keys: fc.uniqueArray(key, { minLength: 1, maxLength: 2 }),
      ticks: fc.nat(5),
      ending: fc.constantFrom(
        ...Array.from({ length: 8 }, () => 'goes on' as const),
        'stops' as const,
        'fails' as const,
      ),
    }),
    { maxLength: 12 },
  )
  .map((drawn) => drawn.map((each, index) => ({ ...each, index })));

/** Runs the tasks, and returns what happened: the begin and the end of each. */
async function events(items: readonly Task[], parallelism: number) {
  const seen: { type: 'begin' | 'end'; task: Task }[] = [];
  let isOver = false;
  const over = runInOrder(items, {
    parallelism,
    keysOf: ({ keys }) => keys,
    async run(task, queue) {
      expect(isOver).toBe(false);
      seen.push({ type: 'begin', task });
      for (let tick = 0; tick < task.ticks; tick++) await Promise.resolve();
      seen.push({ type: 'end', task });
      if (task.ending === 'stops') queue.stop();
      if (task.ending === 'fails') throw new Error(String(task.index));
    },
  });
  const error = await over.then(
    () => undefined,
    (thrown: Error) => thrown.message,
  );
  isOver = true;
  return { seen, error };
}

it('keeps the order of each key and the limit, begins nothing after a stop or a failure, and leaves nothing running', async () => {
  await fc.assert(
    fc.asyncProperty(tasks, fc.integer({ min: 1, max: 10 }), async (items, parallelism) => {
      const { seen, error } = await events(items, parallelism);
      const running = new Set<Task>();
      const ended: Task[] = [];
      for (const { type, task } of seen) {
        if (type === 'begin') {
          expect(ended.some(({ ending }) => ending === 'stops')).toBe(false);
          const before = items.slice(0, task.index).filter(({ keys }) => keys.some((each) => task.keys.includes(each)));
          expect(ended).toEqual(expect.arrayContaining(before));
          running.add(task);
          expect(running.size).toBeLessThanOrEqual(parallelism);
        } else {
          running.delete(task);
          ended.push(task);
        }
      }
      expect(running.size).toBe(0);
      const first = ended.find(({ ending }) => ending === 'fails');
      expect(error).toBe(first && String(first.index));
      if (ended.every(({ ending }) => ending === 'goes on')) expect(ended).toHaveLength(items.length);
      if (parallelism === 1) expect(ended).toEqual(items.slice(0, ended.length));
      if (parallelism === 1 && first !== undefined) expect(ended.at(-1)).toBe(first);
    }),
  );
});

it('runs as many tasks at a time as it may', async () => {
  const items = Array.from(
    { length: 8 },
    (_, index): Task => ({ index, keys: [`${index}`], ticks: 1, ending: 'goes on' }),
  );
  const { seen } = await events(items, 8);
  expect(seen.slice(0, 8).map(({ type }) => type)).toEqual(Array.from({ length: 8 }, () => 'begin'));
});
