/** Creates and upgrades the tables. Safe to run twice and on many servers at once: the second waits, and finds nothing to do. */
import { ProblemError } from '../../base/diagnostics/problem.ts';
import type { Database, Queries, SqlDialect } from './database.ts';

/** Upgrades the store to this version. @throws ProblemError if a newer version made it */
export async function migrateStore(database: Database): Promise<void> {
  await database.transaction(async (queries) => {
    if (database.dialect.name === 'postgres') await queries.query(`SELECT pg_advisory_xact_lock(${migrationLock})`);
    await queries.query('CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value BIGINT NOT NULL)');
    const [row] = await queries.query<{ value: number }>(`SELECT value FROM meta WHERE key = 'version'`);
    const version = row?.value ?? 0;
    if (version > versions.length) throw new ProblemError([newer(version)]);
    if (version === versions.length) return;
    for (const upgrade of versions.slice(version)) await upgrade(queries, database.dialect);
    await queries.query(
      `INSERT INTO meta (key, value) VALUES ('version', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
      [versions.length],
    );
  });
}

async function runAll(statements: readonly string[], queries: Queries): Promise<void> {
  for (const statement of statements) await queries.query(statement);
}

/** An arbitrary key of an advisory lock; all servers must use the same. */
const migrationLock = 7_221_998;

const versions: readonly ((queries: Queries, dialect: SqlDialect) => Promise<void>)[] = [
  first,
  second,
  third,
  fourth,
  fifth,
];

function first(queries: Queries, { serial }: SqlDialect): Promise<void> {
  const statements = [
    `CREATE TABLE deliveries (
       owner TEXT NOT NULL, name TEXT NOT NULL, spec TEXT NOT NULL, changed_at BIGINT NOT NULL,
       PRIMARY KEY (owner, name))`,
    `CREATE TABLE schedules (
       id TEXT PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL, target TEXT NOT NULL, spec TEXT NOT NULL,
       delivery TEXT, overlap TEXT NOT NULL, late_after BIGINT NOT NULL, paused INTEGER NOT NULL, changed_at BIGINT NOT NULL,
       since_at BIGINT NOT NULL, cursor_at BIGINT NOT NULL, next_at BIGINT, UNIQUE (owner, name))`,
    'CREATE INDEX schedules_due ON schedules (next_at) WHERE paused = 0',
    'CREATE INDEX schedules_searched ON schedules (owner, name, target, id)',
    `CREATE TABLE runs (
       id TEXT PRIMARY KEY, schedule_id TEXT NOT NULL, owner TEXT NOT NULL, schedule TEXT NOT NULL, target TEXT NOT NULL,
       tick_at BIGINT NOT NULL, origin TEXT NOT NULL, state TEXT NOT NULL, reason TEXT, exclusive INTEGER NOT NULL,
       attempts INTEGER NOT NULL, not_before BIGINT NOT NULL, token TEXT, lease_until BIGINT, collection_id TEXT,
       triggered_at BIGINT, poll_at BIGINT, ended_at BIGINT, row_count BIGINT, late_after BIGINT NOT NULL, late INTEGER NOT NULL,
       UNIQUE (schedule_id, tick_at))`,
    // The store itself guarantees that exclusive runs of a schedule do not overlap.
    `CREATE UNIQUE INDEX runs_one_active ON runs (schedule_id) WHERE exclusive = 1 AND state IN ('triggering', 'running')`,
    `CREATE INDEX runs_waiting ON runs (tick_at) WHERE state = 'waiting'`,
    `CREATE INDEX runs_leased ON runs (lease_until) WHERE state = 'triggering'`,
    `CREATE INDEX runs_polled ON runs (poll_at) WHERE state = 'running'`,
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
  ];
  return runAll(statements, queries);
}

/** Adds a copy of each spec without its inputs, which may be large, for queries that do not need them. */
async function second(queries: Queries): Promise<void> {
  await runAll(
    ['ALTER TABLE schedules ADD COLUMN brief TEXT', 'CREATE INDEX alerts_sent ON alerts (sent_at)'],
    queries,
  );
  const ids = await queries.query<{ id: string }>('SELECT id FROM schedules');
  // Read one by one: the inputs may be large.
  for (const { id } of ids) {
    const [row] = await queries.query<{ spec: string }>('SELECT spec FROM schedules WHERE id = ?', [id]);
    const { inputs: _, ...brief } = JSON.parse(row?.spec ?? '{}');
    await queries.query('UPDATE schedules SET brief = ? WHERE id = ?', [JSON.stringify(brief), id]);
  }
}

/** Adds preparation attempts, and the time to give up waiting for a job. */
function third(queries: Queries): Promise<void> {
  return runAll(
    [
      'ALTER TABLE runs ADD COLUMN preparing INTEGER NOT NULL DEFAULT 0',
      'ALTER TABLE runs ADD COLUMN unprepared INTEGER NOT NULL DEFAULT 0',
      'ALTER TABLE runs ADD COLUMN unprepared_at BIGINT',
      'ALTER TABLE runs ADD COLUMN give_up_at BIGINT',
    ],
    queries,
  );
}

/** Lets a server find out that no waiting run is late without reading all of them. */
function fourth(queries: Queries): Promise<void> {
  return runAll(
    [`CREATE INDEX runs_late ON runs ((tick_at + late_after)) WHERE state = 'waiting' AND late = 0`],
    queries,
  );
}

/** Lets a server find out that no schedule has ticked in the future without reading all of them. */
function fifth(queries: Queries): Promise<void> {
  return runAll(['CREATE INDEX schedules_ticked ON schedules (cursor_at) WHERE paused = 0'], queries);
}

function newer(version: number) {
  return {
    code: 'newer-store',
    found: `the store has schema version ${version}, which a newer version of this tool made`,
    allowed: `schema version ${versions.length} or older`,
    fix: 'upgrade this tool',
  };
}
