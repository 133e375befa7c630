/**
 * Keeps track of runs whose request is being prepared. A secret command may take seconds, may fail, and may succeed a moment later.
 * Until `startSending` commits, nothing was sent, so a crash or a failure returns the run to the queue.
 */

import type { RunState } from '../api/runs.ts';
import { type ScheduleSpec, timingOf } from '../declared/scheduleSpec.ts';
import { durationMs } from '../declared/timingSpec.ts';
import type { Database, Queries } from '../store/database.ts';
import { nextTick } from '../timing/timing.ts';
import type { Claim } from './claiming.ts';
import { graceMs } from './dueTicks.ts';
import { leaseMs } from './leases.ts';
import { ledgerNow } from './now.ts';
import { unindexedState } from './rows.ts';
import { addEvents, makeTransition } from './transition.ts';

const firstDelayMs = 1000;
const longestDelayMs = 60_000;

/** Records that the request is about to be sent. Returns false if another server has taken the run: then nothing may be sent. */
export function startSending(database: Database, { run, token }: Claim): Promise<boolean> {
  return database.transaction(async (queries) => {
    const at = await ledgerNow(queries);
    const started = await queries.query(
      `UPDATE runs SET preparing = 0, lease_until = ?
       WHERE id = ? AND token = ? AND ${unindexedState} = 'triggering' AND preparing = 1 RETURNING id`,
      [at + leaseMs, run.id, token],
    );
    if (started.length === 0) return false;
    await addEvents(queries, [{ run: run.id, at, state: 'triggering', text: 'prepared, about to be triggered' }]);
    return true;
  });
}

/** Returns the run to the queue for another preparation, until the catch-up window of its tick closes. */
export async function recordUnprepared(queries: Queries, claim: Claim, text: string, at: number): Promise<RunState> {
  const { run, token, spec, preparations } = claim;
  const since = preparations.since ?? at;
  const until = Math.max(windowEnd(spec, run.tickAt), since + graceMs);
  const change = { run: run.id, token, at, from: ['triggering', 'unknown'] as const };
  const nothingSent = { preparing: 0, attempts: run.attempts - 1 };
  if (at >= until) {
    const reason = `${text}. Nothing was sent, and its catch-up window ended at ${new Date(until).toISOString()}`;
    await makeTransition(queries, { ...change, to: 'failed', text: reason, set: nothingSent });
    return 'failed';
  }
  const delay = Math.min(firstDelayMs * 2 ** Math.min(preparations.failed, 6), longestDelayMs, until - at);
  const set = {
    ...nothingSent,
    token: null,
    lease_until: null,
    not_before: at + delay,
    unprepared: preparations.failed + 1,
    unprepared_at: since,
  };
  const reason = `not prepared yet, nothing was sent: ${text}; next attempt in ${Math.ceil(delay / 1000)} s`;
  await makeTransition(queries, { ...change, to: 'waiting', text: reason, set });
  return 'waiting';
}

/** Returns when the catch-up window of the tick ends. */
function windowEnd(spec: ScheduleSpec, tickAt: number): number {
  const { catchUp } = spec;
  if (catchUp === 'skip') return tickAt + graceMs;
  if (catchUp === 'latest') return nextTick(timingOf(spec), tickAt) ?? Number.MAX_SAFE_INTEGER;
  return tickAt + Math.max(durationMs(catchUp.within), graceMs);
}
