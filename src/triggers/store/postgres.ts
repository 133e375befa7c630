/** The store for many machines: any number of servers on one PostgreSQL database. */
import { hash } from 'node:crypto';
import { openConnections, type Statement, type Transaction } from '../../base/drivers/postgres.ts';
import { boundedCache } from '../../base/values/boundedCache.ts';
import { type Database, type Queries, storable, type Value } from './database.ts';
import { postgresOutage } from './storeFailure.ts';

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
const onlyIndexes = {
  ...Object.fromEntries(['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'].map((plan) => [`enable_${plan}`, 'off'])),
  random_page_cost: 1,
  jit: 'off',
};

/**
 * Connects on demand, so that an unreachable database is an error of the query.
 * @throws Error if the address is not valid
 */
export function openPostgres(url: string): Database {
  const connections = openConnections(url, { max: 10, statementTimeoutMs, idleTimeoutMs, settings: onlyIndexes });
  const { name } = connections;
  const named = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw postgresOutage(name, error) ?? error;
    }
  };
  return {
    name,
    dialect,
    query: <Row>(sql: string, parameters: readonly Value[] = []) =>
      named(connections.run<Row>(statement(sql, parameters))),
    transaction: (work) => named(connections.inTransaction((transaction) => work(queriesIn(transaction)))),
    close: () => connections.close(),
  };
}

/** Sends a first read together with the BEGIN, and changes without rows together with what follows: each answer that is waited for costs time. */
function queriesIn({ run, send, begun }: Transaction): Queries {
  return {
    dialect,
    async query<Row>(sql: string, parameters: readonly Value[] = []) {
      const isRead = sql.startsWith('SELECT');
      if (!isRead) await begun;
      if (!isRead && !sql.includes('RETURNING')) {
        send(statement(sql, parameters));
        return [];
      }
      const rows = await run<Row>(statement(sql, parameters));
      await begun;
      return rows;
    },
  };
}

function statement(sql: string, parameters: readonly Value[]): Statement {
  return {
    ...prepared(sql),
    values: parameters.map((value) => (typeof value === 'string' ? storable(value) : value)),
  };
}

/** Names each statement, so that a connection plans it only once. */
const prepared = boundedCache(500, (sql) => ({ name: hash('sha256', sql, 'base64url'), text: numbered(sql) }));

/** Replaces `?` by `$1`, `$2`, … The ledger's SQL has no other question marks. */
function numbered(sql: string): string {
  const [head = '', ...rest] = sql.split('?');
  return rest.reduce((before, part, index) => `${before}$${index + 1}${part}`, head);
}
