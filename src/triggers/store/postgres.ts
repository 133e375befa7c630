/** The store for many machines: any number of servers on one PostgreSQL database. */
import { hash } from 'node:crypto';
import pg from 'pg';
import { boundedCache } from '../timing/boundedCache.ts';
import type { Database, Queries, Value } from './database.ts';

const dialect: Database['dialect'] = {
  name: 'postgres',
  now: 'CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)',
  serial: 'BIGSERIAL PRIMARY KEY',
  skipLocked: 'FOR UPDATE SKIP LOCKED',
  lock: 'FOR UPDATE',
};

const connectTimeoutMs = 5000;

/** Longer than any statement of the ledger takes. A statement that hangs is given up, and its connection closed. */
const statementTimeoutMs = 30_000;

/** The ledger never pauses within a transaction: a server that does was suspended, and others wait for its locks. */
const idleTimeoutMs = 10_000;

/**
 * Connects on demand, so that an unreachable database is an error of the query.
 * @throws Error if the address is not valid
 */
export function openPostgres(url: string): Database {
  // The pool would report an invalid address with each connection, which would look like an unreachable database.
  new pg.Client({ connectionString: url });
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + connectTimeoutMs,
    idle_in_transaction_session_timeout: idleTimeoutMs,
    keepAlive: true,
    // Sends the statements of a transaction without waiting for each answer.
    pipeline: true,
    types: { getTypeParser: numbersAsNumbers },
  });
  // An idle connection broke: the next query opens another one.
  pool.on('error', () => undefined);

  return {
    dialect,
    query: <Row>(sql: string, parameters?: readonly Value[]) => retryUndone(() => rowsOf<Row>(pool, sql, parameters)),
    transaction: (work) => retryUndone(() => runOnce(work)),
    close: () => pool.end(),
  };

  async function runOnce<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let broken: Error | undefined;
    // A break between two queries is reported by the next query.
    client.on('error', () => undefined);
    try {
      await client.query('BEGIN');
      const result = await work(queriesOn(client));
      await client.query('COMMIT');
      return result;
    } catch (error) {
      // After a database error, closes the connection: its prepared statements may refer to a table that has changed since.
      if (error instanceof pg.DatabaseError) broken = error;
      await client.query('ROLLBACK').catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.removeAllListeners('error');
      client.release(broken);
    }
  }
}

/**
 * Codes of errors that rolled everything back, so that a retry is safe: the database ended one of two deadlocked transactions, or a
 * newer version changed the tables while this one had plans for them.
 */
const undone: ReadonlySet<unknown> = new Set(['40P01', '40001', '0A000']);
const maxAttempts = 5;

async function retryUndone<T>(attempt: () => Promise<T>, tries = 1): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    const isUndone = error instanceof pg.DatabaseError && undone.has(error.code);
    if (!isUndone || tries === maxAttempts) throw error;
    return retryUndone(attempt, tries + 1);
  }
}

function queriesOn(client: pg.PoolClient): Queries {
  return { query: (sql, parameters) => rowsOf(client, sql, parameters) };
}

async function rowsOf<Row>(
  on: pg.Pool | pg.PoolClient,
  sql: string,
  parameters: readonly Value[] = [],
): Promise<Row[]> {
  const { rows } = await on.query({ ...prepared(sql), values: parameters.map(storable) });
  return rows as Row[];
}

/** Names each statement, so that a connection plans it only once. */
const prepared = boundedCache(500, (sql) => ({ name: hash('sha256', sql, 'base64url'), text: numbered(sql) }));

/** Replaces `?` by `$1`, `$2`, … The ledger's SQL has no other question marks. */
function numbered(sql: string): string {
  const [head = '', ...rest] = sql.split('?');
  return rest.reduce((before, part, index) => `${before}$${index + 1}${part}`, head);
}

/** PostgreSQL cannot store NUL in text, and answers of the service may contain it. */
function storable(value: Value): Value {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}

/** Times exceed 2^31 and stay far below 2^53, so BIGINT columns become numbers. */
function numbersAsNumbers(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8) return Number;
  return pg.types.getTypeParser(oid, format as 'text');
}
