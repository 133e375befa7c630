/** The store for many machines: any number of servers on one PostgreSQL database. */
import { hash } from 'node:crypto';
import type pg from 'pg';
import { inTransaction, openPool, retryUndone } from '../../drivers/postgres.ts';
import { boundedCache } from '../../values/boundedCache.ts';
import { type Database, type Queries, storable, type Value } from './database.ts';

const dialect: Database['dialect'] = {
  name: 'postgres',
  now: 'CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)',
  serial: 'BIGSERIAL PRIMARY KEY',
  skipLocked: 'FOR UPDATE SKIP LOCKED',
  lock: 'FOR UPDATE',
  rows: (columns) =>
    `json_to_recordset(CAST(? AS json)) AS it (${Object.entries(columns)
      .map(([name, type]) => `${name} ${type}`)
      .join(', ')})`,
  // For a plain `=`, PostgreSQL may read the whole index, because it keeps plans from when the table was small.
  equals: (column, value) => `${column} = ANY (ARRAY[${value}])`,
};

/** Longer than any statement of the ledger takes. */
const statementTimeoutMs = 30_000;

/** The ledger never pauses within a transaction. */
const idleTimeoutMs = 10_000;

/**
 * Every statement of the ledger finds its rows through an index, in nested loops, as SQLite always does. PostgreSQL must do the same: its
 * statistics are of another minute, when thousands of runs change their state in this one, and by them it would read all runs of a state to
 * change one.
 */
const onlyIndexes = [
  ...['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'].map((plan) => `SET enable_${plan} = off`),
  'SET random_page_cost = 1',
  'SET jit = off',
].join('; ');

/**
 * Connects on demand, so that an unreachable database is an error of the query.
 * @throws Error if the address is not valid
 */
export function openPostgres(url: string): Database {
  const pool = openPool(url, { max: 10, statementTimeoutMs, idleTimeoutMs, pipeline: true, onConnect: onlyIndexes });
  return {
    dialect,
    query: <Row>(sql: string, parameters?: readonly Value[]) => retryUndone(() => rowsOf<Row>(pool, sql, parameters)),
    transaction: (work) => retryUndone(() => inTransaction(pool, (client, begun) => work(queriesIn(client, begun)))),
    close: () => pool.end(),
  };
}

/** Sends a first read together with the BEGIN: each answer that is waited for costs time. */
function queriesIn(client: pg.PoolClient, begun: Promise<unknown>): Queries {
  return {
    dialect,
    async query<Row>(sql: string, parameters?: readonly Value[]) {
      if (!sql.startsWith('SELECT')) await begun;
      const rows = await rowsOf<Row>(client, sql, parameters);
      await begun;
      return rows;
    },
  };
}

async function rowsOf<Row>(
  on: pg.Pool | pg.PoolClient,
  sql: string,
  parameters: readonly Value[] = [],
): Promise<Row[]> {
  const { rows } = await on.query({
    ...prepared(sql),
    values: parameters.map((value) => (typeof value === 'string' ? storable(value) : value)),
  });
  return rows as Row[];
}

/** Names each statement, so that a connection plans it only once. */
const prepared = boundedCache(500, (sql) => ({ name: hash('sha256', sql, 'base64url'), text: numbered(sql) }));

/** Replaces `?` by `$1`, `$2`, … The ledger's SQL has no other question marks. */
function numbered(sql: string): string {
  const [head = '', ...rest] = sql.split('?');
  return rest.reduce((before, part, index) => `${before}$${index + 1}${part}`, head);
}
