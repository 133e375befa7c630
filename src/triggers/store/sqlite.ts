/** The embedded store: one file, which survives a crash at any moment (WAL, and every commit is synced). For one machine. */
import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import pLimit from 'p-limit';
import { boundedCache } from '../timing/boundedCache.ts';
import type { Database, Queries, Value } from './database.ts';

const dialect: Database['dialect'] = {
  name: 'sqlite',
  now: `CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)`,
  serial: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  // One transaction writes at a time, so there is nothing to lock.
  skipLocked: '',
  lock: '',
};

/** How long one process waits for another that writes. */
const busyTimeoutMs = 10_000;

/** Lists of any length make any number of different ones. */
const keptStatements = 200;

/**
 * What comes while a transaction is open waits for its end: on this connection, or it would be a part of it, and on another one of
 * this process, or it would wait for itself.
 */
const turn = pLimit(1);

export function openSqlite(file: string): Database {
  const connection = opened(file);
  const prepared = boundedCache(keptStatements, (sql) => connection.prepare(sql));

  async function run<Row>(sql: string, parameters: readonly Value[] = []): Promise<Row[]> {
    return prepared(sql).all(...parameters) as Row[];
  }

  async function inTransaction<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    connection.exec('BEGIN IMMEDIATE');
    try {
      const result = await work({ query: run });
      connection.exec('COMMIT');
      return result;
    } catch (error) {
      if (connection.isTransaction) connection.exec('ROLLBACK');
      throw error;
    }
  }

  return {
    dialect,
    query: (sql, parameters) => turn(() => run(sql, parameters)),
    transaction: (work) => turn(() => inTransaction(work)),
    close: () =>
      turn(async () => {
        if (connection.isOpen) connection.close();
      }),
  };
}

function opened(file: string): DatabaseSync {
  const connection = new DatabaseSync(file, { timeout: busyTimeoutMs });
  try {
    // Fails where it is no database: a file of somebody else is left as it is.
    connection.prepare('PRAGMA schema_version').get();
    // It may hold inputs and, encrypted, secrets.
    if (file !== ':memory:') chmodSync(file, 0o600);
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}
