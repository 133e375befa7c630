/** Changes the state of a run, the only way to do so: from allowed states only, with an event, and with alerts where they are due. */

import { endStates, type RunState } from '../api/runs.ts';
import type { AlertReason } from '../declared/scheduleSpec.ts';
import { type Database, inParallel, type Queries, rowSet, type Value } from '../store/database.ts';
import { ledgerNow } from './now.ts';
import { unindexedState } from './rows.ts';

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
  const [isMade = false] = await makeTransitions(queries, [transition]);
  return isMade;
}

/**
 * Returns for each transition whether the run was in one of the expected states. One statement makes all transitions with the same shape.
 */
export async function makeTransitions(queries: Queries, transitions: readonly Transition[]): Promise<boolean[]> {
  const changes = transitions.map(changeOf);
  const shapes = Map.groupBy(changes.keys(), (index) => shapeOf(changes, index));
  const made = await inParallel([...shapes.values()], async (indexes) => {
    const moved = await update(
      queries,
      indexes.map((index) => changes[index] as Change),
    );
    return indexes.filter((index) => moved.has(transitions[index]?.run ?? ''));
  });
  const isMade = new Set(made.flat());
  const done = transitions.filter((_, index) => isMade.has(index));
  await addEvents(
    queries,
    done.map(({ run, at, to: state, text }) => ({ run, at, state, text })),
  );
  await addAlerts(
    queries,
    done.flatMap(({ run, at, to }) => (alerting.has(to) ? [{ run, why: to as AlertReason, at }] : [])),
  );
  return transitions.map((_, index) => isMade.has(index));
}

interface Due extends Pick<Transition, 'from' | 'to' | 'text'> {
  /** Selects the runs; its only parameter is the ledger's time. */
  where: string;
  order: string;
}

/** Makes the same transition of the runs that are due for it, but of `except`, a part at a time. */
export function makeDue(
  database: Database,
  { where, order, ...transition }: Due,
  except: ReadonlySet<string> = new Set(),
): Promise<boolean[]> {
  return database.transaction(async (queries) => {
    const at = await ledgerNow(queries);
    const due = await queries.query<{ id: string }>(
      `SELECT id FROM runs WHERE ${where} ORDER BY ${order} LIMIT 500 ${database.dialect.skipLocked}`,
      [at],
    );
    return makeTransitions(
      queries,
      due.filter(({ id }) => !except.has(id)).map(({ id: run }) => ({ run, at, ...transition })),
    );
  });
}

interface Change {
  run: string;
  from: readonly RunState[];
  token: string | undefined;
  columns: Readonly<Record<string, Value>>;
}

function changeOf({ run, from, to, text, at, token, set = {} }: Transition): Change {
  const reason = withoutReason.has(to) ? null : text;
  return {
    run,
    from,
    token,
    columns: { state: to, reason, ...(endStates.includes(to) ? { ended_at: at } : {}), ...set },
  };
}

/**
 * Returns equal texts for changes that one statement can make. A statement can change a run only once, so a second change of the same run
 * has another shape.
 */
function shapeOf(changes: readonly Change[], index: number): string {
  const { run, from, token, columns } = changes[index] as Change;
  const nth = changes.slice(0, index).filter((other) => other.run === run).length;
  return JSON.stringify([nth, from, token === undefined, Object.keys(columns)]);
}

/** Makes changes of one shape. Returns the runs that were changed. */
async function update(queries: Queries, changes: readonly Change[]): Promise<ReadonlySet<string>> {
  const [first] = changes;
  if (first === undefined) return new Set();
  const { from, token, columns } = first;
  const names = Object.keys(columns);
  const types = Object.fromEntries(names.map((name) => [name, textColumns.has(name) ? 'TEXT' : 'BIGINT'] as const));
  const rows = changes.map((change) => ({ ...change.columns, run: change.run, held: change.token ?? null }));
  const moved = await queries.query<{ id: string }>(
    `UPDATE runs SET ${names.map((name) => `${name} = it.${name}`).join(', ')}
     FROM ${queries.dialect.rows({ ...types, run: 'TEXT', held: 'TEXT' })}
     WHERE ${queries.dialect.equals('runs.id', 'it.run')} AND ${unindexedState} IN (${from.map(() => '?').join(', ')})
     ${token === undefined ? '' : 'AND runs.token = it.held'} RETURNING runs.id AS id`,
    [rowSet(rows), ...from],
  );
  return new Set(moved.map(({ id }) => id));
}

const textColumns: ReadonlySet<string> = new Set(['state', 'reason', 'token', 'collection_id', 'keep', 'kept']);

/** Returns the withdrawal of a waiting run: it is `skipped` if no attempt was made, otherwise `failed`. */
export function withdrawal({ id, attempts }: { id: string; attempts: number }, text: string, at: number): Transition {
  return { run: id, from: ['waiting'], to: attempts === 0 ? 'skipped' : 'failed', text, at };
}

type NewEvent = { run: string; at: number; state: RunState; text: string };

export async function addEvents(queries: Queries, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = queries.dialect.rows({ run: 'TEXT', at: 'BIGINT', state: 'TEXT', text: 'TEXT' });
  await queries.query(
    `INSERT INTO events (run_id, at, state, text) SELECT it.run, it.at, it.state, it.text FROM ${rows}`,
    [rowSet(events)],
  );
}

/** Queues alerts, once for each run and reason. */
export async function addAlerts(
  queries: Queries,
  alerts: readonly { run: string; why: AlertReason; at: number }[],
): Promise<void> {
  if (alerts.length === 0) return;
  const rows = queries.dialect.rows({ run: 'TEXT', why: 'TEXT', at: 'BIGINT' });
  // Without a condition, SQLite takes the ON of the conflict for that of a join.
  await queries.query(
    `INSERT INTO alerts (run_id, why, attempts, send_at) SELECT it.run, it.why, 0, it.at FROM ${rows} WHERE TRUE
     ON CONFLICT (run_id, why) DO NOTHING`,
    [rowSet(alerts)],
  );
}

const alerting: ReadonlySet<RunState> = new Set(['failed', 'unknown', 'given-up', 'unkept', 'undelivered', 'few-rows']);

const withoutReason: ReadonlySet<RunState> = new Set(['triggering', 'running', 'finished']);
