/**
 * The health of a worker by what its rounds achieve. A store that can be written proves nothing: rows may be locked by others, or a
 * permission may be missing.
 */
import type { Problem } from '../../base/diagnostics/problem.ts';
import type { Pending } from '../ledger/pending.ts';
import { StoreOutage } from '../store/storeFailure.ts';

export interface RoundHealth {
  /** Notes what a round found due before it changed anything. */
  began(pending: Pending): void;
  ended(): void;
  failed(error: unknown): void;
  /** Returns why schedules do not fire; undefined if they do. */
  problem(): Problem | undefined;
  sinceGoodRoundMs(): number;
  /** The time for which earlier rounds have left the oldest work undone; 0 if none did. */
  overdueMs(): number;
}

/** An idle worker plays a round every minute. */
const longestSilenceMs = 90_000;

/** A round handles everything that is due, or a large part of it. */
const longestOverdueMs = 60_000;

export function createRoundHealth(): RoundHealth {
  let goodAt = performance.now();
  let failure: Problem | undefined;
  let overdueMs = 0;
  /** The ledger's time at which the last good round began, and this one. */
  let [before, now] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const sinceGoodRoundMs = () => performance.now() - goodAt;
  return {
    began(pending) {
      now = pending.now;
      overdueMs = Math.max(0, before - (pending.oldestDueAt ?? now));
    },
    ended() {
      goodAt = performance.now();
      before = now;
      failure = undefined;
    },
    failed(error) {
      failure = error instanceof StoreOutage ? error.problem : failedRound(error);
    },
    problem() {
      if (failure !== undefined) return failure;
      if (sinceGoodRoundMs() > longestSilenceMs) return hangingRound;
      return overdueMs > longestOverdueMs ? overdueWork(overdueMs) : undefined;
    },
    sinceGoodRoundMs,
    overdueMs: () => overdueMs,
  };
}

function failedRound(error: unknown): Problem {
  const found = `the worker failed: ${error instanceof Error ? error.message : String(error)}`;
  return { code: 'worker-failed', found, fix: 'see the log of the trigger service; it keeps retrying' };
}

const hangingRound: Problem = {
  code: 'worker-hangs',
  found: 'the worker has been busy with one round for more than 90 s',
  fix: 'find out what keeps the store busy, such as a lock on its tables',
};

function overdueWork(ms: number): Problem {
  return {
    code: 'ticks-overdue',
    found: `ticks or runs are overdue for ${Math.round(ms / 1000)} s, and no round can take them`,
    fix: 'end the transaction that holds their rows: see pg_stat_activity of the database',
  };
}
