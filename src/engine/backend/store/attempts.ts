/** Repeats failed requests to a store for some seconds, and finds out whether a write whose answer was lost was carried out. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Problem, ProblemError } from '../../../base/diagnostics/problem.ts';
import type { ObjectStore } from '../store.ts';

/** A store whose methods make one attempt each. */
export interface StoreDriver extends Omit<ObjectStore, 'list'> {
  /** Returns up to 1,000 keys in byte order. */
  listPage(prefix: string, after: string | undefined): Promise<Page>;
}

export interface Page {
  keys: string[];
  /** False if no key follows. */
  hasMore: boolean;
}

/** A failure of one attempt, after which another may succeed. It is unknown whether the store carried out the request. */
export class UncertainFailure extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.found);
    this.problem = problem;
  }
}

/** The pauses between the attempts. */
const pausesMs = [100, 300, 900];

export function retryingStore(driver: StoreDriver): ObjectStore {
  /** Returns the version if the object has this text, which a lost attempt wrote: the callers' texts contain nonces. */
  async function ownVersion(key: string, text: string): Promise<string | undefined> {
    const found = await driver.read(key);
    return found?.text === text ? found.version : undefined;
  }

  const write = (key: string, text: string, attempt: () => Promise<string | undefined>) =>
    repeated(async (isFirst) => (await attempt()) ?? (isFirst ? undefined : ownVersion(key, text)));

  return {
    address: driver.address,
    read: (key) => repeated(() => driver.read(key)),
    create: (key, text) => write(key, text, () => driver.create(key, text)),
    replace: (key, text, version) => write(key, text, () => driver.replace(key, text, version)),
    async remove(keys) {
      if (keys.length > 0) await repeated(() => driver.remove(keys));
    },
    async *list(prefix, { after } = {}) {
      for (let last = after; ; ) {
        const from = last;
        const { keys, hasMore } = await repeated(() => driver.listPage(prefix, from));
        yield* keys;
        if (!hasMore || keys.length === 0) return;
        last = keys.at(-1);
      }
    },
    timeline: async () => driver.timeline?.(),
    risk: async () => driver.risk?.(),
    close: () => driver.close(),
  };
}

async function repeated<T>(attempt: (isFirst: boolean) => Promise<T>): Promise<T> {
  for (let index = 0; ; index++) {
    try {
      return await attempt(index === 0);
    } catch (error) {
      if (!(error instanceof UncertainFailure)) throw error;
      const pauseMs = pausesMs[index];
      if (pauseMs === undefined) throw new ProblemError([error.problem]);
      // Random, so that writers that failed at the same moment do not try again at the same moment.
      await sleep(pauseMs * (0.5 + Math.random()));
    }
  }
}
