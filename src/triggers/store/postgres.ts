/** The store for many machines: any number of servers on one PostgreSQL. */
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

/** Longer than any statement of the ledger takes: what hangs is given up, and its connection with it. */
const statementTimeoutMs = 30_000;

/** Nothing of the ledger pauses within a transaction: who does was stopped, and the others wait for what it has locked. */
const idleTimeoutMs = 10_000;

/**
 * Connections are made when they are needed, so that a database which is away is an error of the query.
 * @throws where the address is none
 */
export function openPostgres(url: string): Database {
  // The pool would find out with each connection, and that looks like a database that is away.
  new pg.Client({ connectionString: url });
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + connectTimeoutMs,
    idle_in_transaction_session_timeout: idleTimeoutMs,
    keepAlive: true,
    // Many statements of a transaction travel together.
    pipeline: true,
    types: { getTypeParser: numbersAsNumbers },
  });
  // A connection that breaks while nobody uses it: the next query makes another.
  pool.on('error', () => undefined);

  return {
    dialect,
    query: <Row>(sql: string, parameters?: readonly Value[]) => again(() => rowsOf<Row>(pool, sql, parameters)),
    transaction: (work) => again(() => once(work)),
    close: () => pool.end(),
  };

  async function once<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let broken: Error | undefined;
    // Between two queries a break is nobody's error; the next query says it.
    client.on('error', () => undefined);
    try {
      await client.query('BEGIN');
      const result = await work(queriesOn(client));
      await client.query('COMMIT');
      return result;
    } catch (error) {
      // It may hold plans of a table that has changed since.
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
 * Nothing of it was kept: of two that waited for each other, one was ended by the database; or the tables were changed by a newer
 * version while this one held plans for them.
 */
const undone: ReadonlySet<unknown> = new Set(['40P01', '40001', '0A000']);
const mostTries = 5;

async function again<T>(attempt: () => Promise<T>, tries = 1): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    const isUndone = error instanceof pg.DatabaseError && undone.has(error.code);
    if (!isUndone || tries === mostTries) throw error;
    return again(attempt, tries + 1);
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

/** By its name a connection knows a statement that it has planned. */
const prepared = boundedCache(500, (sql) => ({ name: hash('sha256', sql, 'base64url'), text: numbered(sql) }));

/** `?` as `$1`, `$2`, … The ledger's SQL has no other question marks. */
function numbered(sql: string): string {
  const [head = '', ...rest] = sql.split('?');
  return rest.reduce((before, part, index) => `${before}$${index + 1}${part}`, head);
}

/** PostgreSQL has no text with this character in it, and what the service says may have one. */
function storable(value: Value): Value {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}

/** Times are larger than 2^31 and far below 2^53. */
function numbersAsNumbers(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8) return Number;
  return pg.types.getTypeParser(oid, format as 'text');
}
