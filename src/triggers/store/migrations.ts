/** The tables, version by version. Safe to run twice, and by many at once: whoever comes second waits, and finds it done. */
import { ProblemError } from '../../diagnostics/problem.ts';
import type { Database, Dialect, Queries } from './database.ts';

/** Brings the store to this version. @throws ProblemError where it is of a newer one */
export async function migrate(database: Database): Promise<void> {
  await database.transaction(async (queries) => {
    if (database.dialect.name === 'postgres') await queries.query(`SELECT pg_advisory_xact_lock(${migrationLock})`);
    await queries.query('CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value BIGINT NOT NULL)');
    const [row] = await queries.query<{ value: number }>(`SELECT value FROM meta WHERE key = 'version'`);
    const version = row?.value ?? 0;
    if (version > versions.length) throw new ProblemError([newer(version)]);
    if (version === versions.length) return;
    for (const bring of versions.slice(version)) await bring(queries, database.dialect);
    await queries.query(
      `INSERT INTO meta (key, value) VALUES ('version', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
      [versions.length],
    );
  });
}

async function runAll(statements: readonly string[], queries: Queries): Promise<void> {
  for (const statement of statements) await queries.query(statement);
}

/** Any number, the same for every server on a database. */
const migrationLock = 7_221_998;

const versions: readonly ((queries: Queries, dialect: Dialect) => Promise<void>)[] = [first, second, third];

function first(queries: Queries, { serial }: Dialect): Promise<void> {
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
    // Where runs of a schedule must not overlap, the store itself sees to it.
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

/** A spec without its inputs, which may be large, for all that does not need them. */
async function second(queries: Queries): Promise<void> {
  await runAll(
    ['ALTER TABLE schedules ADD COLUMN brief TEXT', 'CREATE INDEX alerts_sent ON alerts (sent_at)'],
    queries,
  );
  const ids = await queries.query<{ id: string }>('SELECT id FROM schedules');
  // One by one, for the same reason.
  for (const { id } of ids) {
    const [row] = await queries.query<{ spec: string }>('SELECT spec FROM schedules WHERE id = ?', [id]);
    const { inputs: _, ...brief } = JSON.parse(row?.spec ?? '{}');
    await queries.query('UPDATE schedules SET brief = ? WHERE id = ?', [JSON.stringify(brief), id]);
  }
}

/** What a run whose request could not be prepared waits for, and when waiting for a job ends. */
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

function newer(version: number) {
  return {
    code: 'newer-store',
    found: `the store is of version ${version}`,
    allowed: `up to version ${versions.length}`,
    fix: 'use the newer version of this tool that made it',
  };
}
