/** Creates the tables. Safe to run twice and on many servers at once: the second waits, and finds nothing to do. */
import { ProblemError } from '../../base/diagnostics/problem.ts';
import type { Database, Queries, SqlDialect } from './database.ts';

/** Creates the tables of an empty store. @throws ProblemError if another version of this tool made the store */
export async function createTables(database: Database): Promise<void> {
  await database.transaction(async (queries) => {
    if (database.dialect.name === 'postgres') await queries.query(`SELECT pg_advisory_xact_lock(${creationLock})`);
    // A user that may not create tables may use those that exist.
    if (!(await hasTables(queries))) await createAll(queries);
    const [row] = await queries.query<{ value: number }>(`SELECT value FROM meta WHERE key = 'version'`);
    if (row?.value !== version) throw new ProblemError([otherVersion(row?.value)]);
  });
}

/** Returns whether the tables were created. */
export async function hasTables(queries: Queries): Promise<boolean> {
  const named = { sqlite: `FROM sqlite_master WHERE name = 'meta'`, postgres: `WHERE to_regclass('meta') IS NOT NULL` };
  const rows = await queries.query(`SELECT 1 AS found ${named[queries.dialect.name]}`);
  return rows.length > 0;
}

async function createAll(queries: Queries): Promise<void> {
  for (const statement of statementsFor(queries.dialect)) await queries.query(statement);
  await queries.query(`INSERT INTO meta (key, value) VALUES ('version', ?)`, [version]);
}

const version = 1;

/** An arbitrary key of an advisory lock; all servers must use the same. */
const creationLock = 7_221_998;

const statementsFor = ({ serial }: SqlDialect): readonly string[] => [
  'CREATE TABLE meta (key TEXT PRIMARY KEY, value BIGINT NOT NULL)',
  `CREATE TABLE deliveries (
     owner TEXT NOT NULL, name TEXT NOT NULL, spec TEXT NOT NULL, changed_at BIGINT NOT NULL,
     PRIMARY KEY (owner, name))`,
  // `brief` is the spec without its inputs, which may be large.
  `CREATE TABLE schedules (
     id TEXT PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL, target TEXT NOT NULL, spec TEXT NOT NULL, brief TEXT NOT NULL,
     delivery TEXT, overlap TEXT NOT NULL, late_after BIGINT NOT NULL, paused INTEGER NOT NULL, changed_at BIGINT NOT NULL,
     since_at BIGINT NOT NULL, cursor_at BIGINT NOT NULL, next_at BIGINT, UNIQUE (owner, name))`,
  'CREATE INDEX schedules_due ON schedules (next_at) WHERE paused = 0',
  'CREATE INDEX schedules_ticked ON schedules (cursor_at) WHERE paused = 0',
  'CREATE INDEX schedules_searched ON schedules (owner, name, target, id)',
  `CREATE TABLE runs (
     id TEXT PRIMARY KEY, schedule_id TEXT NOT NULL, owner TEXT NOT NULL, schedule TEXT NOT NULL, target TEXT NOT NULL,
     tick_at BIGINT NOT NULL, origin TEXT NOT NULL, state TEXT NOT NULL, reason TEXT, exclusive INTEGER NOT NULL,
     attempts INTEGER NOT NULL, not_before BIGINT NOT NULL, token TEXT, lease_until BIGINT,
     unprepared_at BIGINT, collection_id TEXT,
     triggered_at BIGINT, poll_at BIGINT, give_up_at BIGINT, missing INTEGER NOT NULL DEFAULT 0, ended_at BIGINT, row_count BIGINT, keep TEXT, kept TEXT,
     deliver_within BIGINT, delivered_at BIGINT,
     late_after BIGINT NOT NULL, late INTEGER NOT NULL, order_key TEXT, UNIQUE (schedule_id, tick_at), UNIQUE (schedule_id, order_key))`,
  // The store itself guarantees that exclusive runs of a schedule do not overlap.
  `CREATE UNIQUE INDEX runs_one_active ON runs (schedule_id) WHERE exclusive = 1 AND state IN ('triggering', 'running')`,
  `CREATE INDEX runs_waiting ON runs (tick_at) WHERE state = 'waiting'`,
  `CREATE INDEX runs_late ON runs ((tick_at + late_after)) WHERE state = 'waiting' AND late = 0`,
  `CREATE INDEX runs_undelivered ON runs ((ended_at + deliver_within))
     WHERE state = 'finished' AND delivered_at IS NULL AND deliver_within IS NOT NULL`,
  `CREATE INDEX runs_leased ON runs (lease_until) WHERE state = 'triggering'`,
  `CREATE INDEX runs_polled ON runs (poll_at) WHERE state IN ('running', 'unkept')`,
  `CREATE INDEX runs_active ON runs (schedule_id) WHERE state IN ('waiting', 'triggering', 'running')`,
  'CREATE INDEX runs_of_schedule ON runs (owner, schedule, tick_at)',
  'CREATE INDEX runs_ended ON runs (ended_at)',
  'CREATE INDEX runs_by_tick ON runs (tick_at)',
  'CREATE INDEX runs_by_state ON runs (state, tick_at)',
  `CREATE TABLE events (id ${serial}, run_id TEXT NOT NULL, at BIGINT NOT NULL, state TEXT NOT NULL, text TEXT NOT NULL)`,
  'CREATE INDEX events_of_run ON events (run_id, id)',
  'CREATE INDEX events_by_time ON events (at)',
  `CREATE TABLE alerts (
     id ${serial}, run_id TEXT NOT NULL, why TEXT NOT NULL, attempts INTEGER NOT NULL, send_at BIGINT NOT NULL, sent_at BIGINT,
     UNIQUE (run_id, why))`,
  'CREATE INDEX alerts_due ON alerts (send_at) WHERE sent_at IS NULL',
  'CREATE INDEX alerts_sent ON alerts (sent_at)',
];

function otherVersion(found = 0) {
  return {
    code: 'other-store-version',
    found: `another version of this tool made the store: its tables have version ${found}`,
    allowed: `tables of version ${version}`,
    fix: 'use the version of the tool that made the store, or name a new store',
  };
}
