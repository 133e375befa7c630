/** The health of a server for probes, metrics and the API: whether the store can be written, and schedules fire; if not, the cause. */
import type { Problem } from '../../base/diagnostics/problem.ts';
import { ledgerNow } from '../ledger/now.ts';
import { probeStore } from '../ledger/probe.ts';
import type { Database } from '../store/database.ts';
import { StoreOutage } from '../store/storeFailure.ts';
import type { RoundHealth } from '../worker/roundHealth.ts';

export interface StoreHealth {
  /** Returns undefined if the store can be written, and schedules fire. */
  problem(): Promise<Problem | undefined>;
}

/** Monitors give up after a few seconds. */
const limitMs = 2000;

/** Each probe writes, so its result is used for so long. */
const freshMs = 1000;

export function createStoreHealth(database: Database, rounds?: Pick<RoundHealth, 'problem'>): StoreHealth {
  let last: { asked: number; problem: Promise<Problem | undefined> } | undefined;
  const written = () => {
    if (last === undefined || performance.now() - last.asked > freshMs)
      last = { asked: performance.now(), problem: probeStore(database).then(() => undefined, problemOf) };
    return last.problem;
  };
  const read = () => ledgerNow(database).then(() => undefined, problemOf);
  return {
    async problem() {
      const found = await soon(read().then(async (problem) => ({ problem: problem ?? (await written()) })));
      return found === undefined ? tooSlow : (found.problem ?? rounds?.problem());
    },
  };
}

function problemOf(error: unknown): Problem {
  return error instanceof StoreOutage ? error.problem : tooSlow;
}

/** Returns undefined if the answer fails or takes too long. */
export async function soon<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, limitMs, undefined);
  return Promise.race([asked.catch(() => undefined), late]).finally(() => clearTimeout(timer));
}

const tooSlow: Problem = {
  code: 'store-away',
  found: 'the store does not answer',
  fix: 'check that the database is up and reachable; the trigger service keeps retrying',
};
