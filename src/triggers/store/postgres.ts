/** The store for many machines: any number of servers on one PostgreSQL. */
import pg from 'pg';
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

/** Connections are made when they are needed, so that a database which is away is an error of the query. */
export function openPostgres(url: string): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + connectTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    keepAlive: true,
    types: { getTypeParser: numbersAsNumbers },
  });
  // A connection that breaks while nobody uses it: the next query makes another.
  pool.on('error', () => undefined);

  return {
    dialect,
    async query<Row>(sql: string, parameters?: readonly Value[]) {
      return rowsOf<Row>(pool, sql, parameters);
    },
    async transaction(work) {
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
        await client.query('ROLLBACK').catch((failure: Error) => {
          broken = failure;
        });
        throw error;
      } finally {
        client.removeAllListeners('error');
        client.release(broken);
      }
    },
    close: () => pool.end(),
  };
}

function queriesOn(client: pg.PoolClient): Queries {
  return { query: (sql, parameters) => rowsOf(client, sql, parameters) };
}

async function rowsOf<Row>(
  on: pg.Pool | pg.PoolClient,
  sql: string,
  parameters: readonly Value[] = [],
): Promise<Row[]> {
  const { rows } = await on.query(numbered(sql), [...parameters]);
  return rows as Row[];
}

const known = new Map<string, string>();

/** `?` as `$1`, `$2`, … The ledger's SQL has no other question marks. */
function numbered(sql: string): string {
  const [head = '', ...rest] = sql.split('?');
  const text = known.get(sql) ?? rest.reduce((before, part, index) => `${before}$${index + 1}${part}`, head);
  known.set(sql, text);
  return text;
}

/** Times are larger than 2^31 and far below 2^53. */
function numbersAsNumbers(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8) return Number;
  return pg.types.getTypeParser(oid, format as 'text');
}
