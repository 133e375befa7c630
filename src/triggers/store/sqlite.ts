/** The embedded store for one machine: one file, which survives a crash at any moment (WAL, and every commit is synced). */
import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import pLimit from 'p-limit';
import { boundedCache } from '../../base/values/boundedCache.ts';
import type { Database, Queries, Value } from './database.ts';
import { sqliteOutage } from './storeFailure.ts';

const dialect: Database['dialect'] = {
  name: 'sqlite',
  now: `CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)`,
  serial: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  // SQLite runs one writing transaction at a time, so no locks are needed.
  skipLocked: '',
  lock: '',
  rows: (columns) =>
    `(SELECT ${Object.keys(columns)
      .map((name) => `value ->> '${name}' AS ${name}`)
      .join(', ')} FROM json_each(?)) AS it`,
  equals: (column, value) => `${column} = ${value}`,
};

/** The time that a process waits for another one that writes. */
const busyTimeoutMs = 10_000;

/** Bounded, because each length of an `IN` list makes another statement. */
const keptStatements = 200;

/**
 * Runs one transaction or query at a time. On the same connection, a query would become part of an open transaction; on another
 * connection of this process, it would deadlock with it.
 */
const turn = pLimit(1);

export function openSqlite(file: string): Database {
  const connection = opened(file);
  const prepared = boundedCache(keptStatements, (sql) => connection.prepare(sql));

  /** SQLite's own number counts the changes of other connections only. */
  let ownChanges = 0;

  async function run<Row>(sql: string, parameters: readonly Value[] = []): Promise<Row[]> {
    if (!sql.startsWith('SELECT')) ownChanges += 1;
    return prepared(sql).all(...parameters) as Row[];
  }

  async function inTransaction<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    connection.exec('BEGIN IMMEDIATE');
    try {
      const result = await work({ dialect, query: run });
      connection.exec('COMMIT');
      return result;
    } catch (error) {
      if (connection.isTransaction) connection.exec('ROLLBACK');
      throw error;
    }
  }

  const named = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw sqliteOutage(file, error) ?? error;
    }
  };
  return {
    name: file,
    dialect,
    query: <Row>(sql: string, parameters?: readonly Value[]) => named(turn(() => run<Row>(sql, parameters))),
    version: () => Number(prepared('PRAGMA data_version').get()?.data_version) + ownChanges,
    transaction: (work) => named(turn(() => inTransaction(work))),
    close: () =>
      turn(async () => {
        if (connection.isOpen) connection.close();
      }),
  };
}

function opened(file: string): DatabaseSync {
  const connection = new DatabaseSync(file, { timeout: busyTimeoutMs });
  try {
    // Fails if the file is not a database, before anything changes it.
    connection.prepare('PRAGMA schema_version').get();
    // The store contains inputs and encrypted secrets.
    if (file !== ':memory:') chmodSync(file, 0o600);
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}
