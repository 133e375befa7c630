/** Keeps runs whose request cannot be prepared. A secret command may fail, and may succeed a moment later: nothing was sent meanwhile. */

import type { RunState } from '../api/runs.ts';
import { type ScheduleSpec, timingOf } from '../declared/scheduleSpec.ts';
import { durationMs } from '../declared/timingSpec.ts';
import type { Queries } from '../store/database.ts';
import { nextTick } from '../timing/timing.ts';
import type { Claim } from './claiming.ts';
import { graceMs } from './dueTicks.ts';
import { makeTransition } from './transition.ts';

const pauseMs = 10_000;

/** Returns the run to the queue for another preparation, until the catch-up window of its tick closes. */
export async function recordUnprepared(queries: Queries, claim: Claim, text: string, at: number): Promise<RunState> {
  const { run, token, spec, unpreparedSince } = claim;
  const since = unpreparedSince ?? at;
  const until = Math.max(windowEnd(spec, run.tickAt), since + graceMs);
  const change = { run: run.id, token, at, from: ['triggering', 'unknown'] as const };
  const attempts = run.attempts - 1;
  if (at >= until) {
    const reason = `${text}. Nothing was sent, and its catch-up window ended at ${new Date(until).toISOString()}`;
    await makeTransition(queries, { ...change, to: 'failed', text: reason, set: { attempts } });
    return 'failed';
  }
  const delay = Math.min(pauseMs, until - at);
  const set = { attempts, token: null, lease_until: null, not_before: at + delay, unprepared_at: since };
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
