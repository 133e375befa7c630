/** Changes the state of a run, the only way to do so: from allowed states only, with an event, and with alerts where they are due. */

import type { RunState } from '../model.ts';
import type { AlertReason } from '../spec/scheduleSpec.ts';
import type { Queries, Value } from '../store/database.ts';

export interface Transition {
  run: string;
  from: readonly RunState[];
  to: RunState;
  /** Describes the event to people. */
  text: string;
  at: number;
  /** Changes the run only if it still has this token: another server may have taken it. */
  token?: string | undefined;
  set?: Readonly<Record<string, Value>>;
}

/** Returns false if the run is not, or no longer, in one of the expected states. */
export async function makeTransition(queries: Queries, transition: Transition): Promise<boolean> {
  const { run, from, to, text, at, token, set = {} } = transition;
  const reason = withReason.has(to) ? text : null;
  const columns = { state: to, reason, ...(endStates.has(to) ? { ended_at: at } : {}), ...set };
  const assignments = Object.keys(columns).map((column) => `${column} = ?`);
  const places = from.map(() => '?');
  const moved = await queries.query(
    `UPDATE runs SET ${assignments.join(', ')} WHERE id = ? AND state IN (${places.join(', ')})
     ${token === undefined ? '' : 'AND token = ?'} RETURNING id`,
    [...Object.values(columns), run, ...from, ...(token === undefined ? [] : [token])],
  );
  if (moved.length === 0) return false;
  await addEvent(queries, { run, at, state: to, text });
  if (to === 'failed' || to === 'unknown' || to === 'given-up') await addAlert(queries, run, to, at);
  return true;
}

/** Withdraws a waiting run: it is `skipped` if no attempt was made, otherwise `failed`. */
export function withdraw(
  queries: Queries,
  { id, attempts }: { id: string; attempts: number },
  text: string,
  at: number,
): Promise<boolean> {
  const to = attempts === 0 ? 'skipped' : 'failed';
  return makeTransition(queries, { run: id, from: ['waiting'], to, text, at });
}

export async function addEvent(
  queries: Queries,
  { run, at, state, text }: { run: string; at: number; state: RunState; text: string },
): Promise<void> {
  await queries.query('INSERT INTO events (run_id, at, state, text) VALUES (?, ?, ?, ?)', [run, at, state, text]);
}

/** Queues an alert, once for each run and reason. */
export async function addAlert(queries: Queries, run: string, why: AlertReason, at: number): Promise<void> {
  await queries.query(
    'INSERT INTO alerts (run_id, why, attempts, send_at) VALUES (?, ?, 0, ?) ON CONFLICT (run_id, why) DO NOTHING',
    [run, why, at],
  );
}

const withReason: ReadonlySet<RunState> = new Set([
  'waiting',
  'unknown',
  'failed',
  'expired',
  'given-up',
  'cancelled',
  'skipped',
  'lost',
]);

const endStates: ReadonlySet<RunState> = new Set([
  'finished',
  'failed',
  'expired',
  'given-up',
  'cancelled',
  'skipped',
  'lost',
]);
