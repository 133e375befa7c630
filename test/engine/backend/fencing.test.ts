/** Many runs on one shared backend that waits, pauses and loses answers at random: what was sent is recorded, and by one run at a time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { randomFrom } from '../../../reliability/frame/random.ts';
import { logStart } from '../../../src/engine/backend/backend.ts';
import { createSharedBackend } from '../../../src/engine/backend/shared/sharedBackend.ts';
import { retryingStore, UncertainFailure } from '../../../src/engine/backend/store/attempts.ts';
import type { ObjectStore } from '../../../src/engine/backend/store.ts';
import { type MemoryStore, memoryStore } from './memoryStore.ts';

const leaseMs = 200;
/** Longer than the lease with its margin. */
const pauseMs = 1500;
const [runs, tenures, calls] = [4, 2, 6];

it('nothing is sent that is not recorded, and nothing after another run took the lock', async () => {
  const seeds = Array.from({ length: 25 }, () => Math.floor(Math.random() * 2 ** 31));
  const outcomes = await Promise.all(seeds.map(playWorld));
  expect(outcomes.filter(({ faults }) => faults.length > 0)).toEqual([]);
  expect(outcomes.reduce((sum, { sent }) => sum + sent, 0)).toBeGreaterThan(100);
  expect(outcomes.reduce((sum, { lost }) => sum + lost, 0)).toBeGreaterThan(5);
});

interface Tenure {
  name: string;
  /** True once a later run has the lock. */
  isOver: boolean;
}

async function playWorld(seed: number): Promise<{ seed: number; faults: string[]; sent: number; lost: number }> {
  const random = randomFrom(seed);
  const store = memoryStore();
  const [sent, late]: [string[], string[]] = [[], []];
  let holder: Tenure | undefined;
  let lost = 0;

  async function run(who: number): Promise<void> {
    const backend = createSharedBackend(unsteady(store, random), { account: 'api.example.com:', leaseMs });
    for (let tenure = 0; tenure < tenures; tenure += 1) {
      const options = { timeoutMs: 20_000, command: `run ${who}`, folder: '/srv/infra' };
      await backend
        .withLock(options, async () => {
          const mine = { name: `${who}.${tenure}`, isOver: false };
          // Not earlier: a run that was paused while it took the lock may still add its mark to the log, and then fails.
          if (holder) holder.isOver = true;
          holder = mine;
          const log = await backend.appendToLog();
          for (let call = 0; call < calls; call += 1) {
            const line = `${mine.name} ${call}`;
            await log.append([line], 'now');
            sent.push(line);
            if (mine.isOver) late.push(line);
            await sleep(random() * 30);
          }
        })
        .catch(() => {
          lost += 1;
        });
    }
  }

  await Promise.all(Array.from({ length: runs }, (_, who) => run(who)));
  const lines = await linesOf(store);
  const owners = lines.map((line) => line.split(' ')[0]).filter((owner, index, all) => owner !== all[index - 1]);
  const faults = [
    ...sent.filter((line) => !lines.includes(line)).map((line) => `${line} was sent, and is not recorded`),
    ...lines.filter((line, index) => lines.indexOf(line) !== index).map((line) => `${line} is recorded twice`),
    ...owners.filter((owner, index) => owners.indexOf(owner) !== index).map((owner) => `${owner} wrote after another`),
    ...late.map((line) => `${line} was sent after another run had taken the lock`),
  ];
  return { seed, faults, sent: sent.length, lost };
}

/** A store that takes its time, before or after it carries out a request, and loses answers. */
function unsteady(store: ObjectStore, random: () => number): ObjectStore {
  async function request<T>(work: () => Promise<T>): Promise<T> {
    await sleep(random() < 0.01 ? pauseMs * (1 + random()) : random() * 8);
    const result = await work();
    await sleep(random() < 0.01 ? pauseMs * (1 + random()) : random() * 8);
    if (random() < 0.03)
      throw new UncertainFailure({ code: 'backend-unreachable', found: 'the answer was lost', fix: 'run again' });
    return result;
  }
  return retryingStore({
    address: store.address,
    read: (key) => request(() => store.read(key)),
    create: (key, text) => request(() => store.create(key, text)),
    replace: (key, text, version) => request(() => store.replace(key, text, version)),
    remove: (keys) => request(() => store.remove(keys)),
    listPage: (prefix, after) =>
      request(async () => {
        const keys: string[] = [];
        for await (const key of store.list(prefix, after === undefined ? {} : { after })) keys.push(key);
        return { keys, hasMore: false };
      }),
    close: () => store.close(),
  });
}

async function linesOf(store: MemoryStore): Promise<string[]> {
  const log = await createSharedBackend(store, { account: 'api.example.com:', leaseMs }).openLog();
  const lines: string[] = [];
  for await (const batch of log?.read(logStart) ?? []) lines.push(...batch.lines.map(([, text]) => text));
  return lines;
}
