/** Connections to PostgreSQL with time limits, and statements that are retried if the database undid them. */
import pg from 'pg';

interface PoolOptions {
  max: number;
  /** A statement that takes longer is given up, and its connection closed. */
  statementTimeoutMs: number;
  /** A transaction that pauses longer is undone: its process was suspended, and others wait for its locks. */
  idleTimeoutMs: number;
  /** Ends the process even if idle connections are open. */
  allowExitOnIdle?: boolean;
  /** Sends the statements of a transaction without waiting for each answer. */
  pipeline?: boolean;
  /** A statement that each new connection runs first. */
  onConnect?: string;
}

const connectTimeoutMs = 5000;

/**
 * Connects on demand, so that an unreachable database is an error of the query.
 * @throws Error if the address is not valid
 */
export function openPool(
  url: string,
  { statementTimeoutMs, idleTimeoutMs, onConnect, ...options }: PoolOptions,
): pg.Pool {
  // The pool would report an invalid address with each connection, which would look like an unreachable database.
  new pg.Client({ connectionString: url });
  const pool = new pg.Pool({
    ...options,
    ...(onConnect !== undefined && {
      onConnect: async (client: pg.ClientBase) => void (await client.query(onConnect)),
    }),
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + connectTimeoutMs,
    idle_in_transaction_session_timeout: idleTimeoutMs,
    keepAlive: true,
    types: { getTypeParser: numbersAsNumbers },
  });
  // An idle connection broke: the next query opens another one.
  pool.on('error', () => undefined);
  return pool;
}

/** Runs work in a transaction, on a connection of its own. Until `begun` resolves, the work may only read: BEGIN may still fail. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient, begun: Promise<unknown>) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A break between two queries is reported by the next query.
  client.on('error', () => undefined);
  try {
    const begun = client.query('BEGIN');
    begun.catch(() => undefined);
    const result = await work(client, begun);
    await begun;
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

/**
 * Codes of errors that rolled everything back, so that a retry is safe: the database ended one of two deadlocked transactions, or a
 * newer version changed the tables while this one had plans for them.
 */
const undone: ReadonlySet<unknown> = new Set(['40P01', '40001', '0A000']);
const maxAttempts = 5;

export async function retryUndone<T>(attempt: () => Promise<T>, tries = 1): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    const isUndone = error instanceof pg.DatabaseError && undone.has(error.code);
    if (!isUndone || tries === maxAttempts) throw error;
    return retryUndone(attempt, tries + 1);
  }
}

/** Times exceed 2^31 and stay far below 2^53, so BIGINT columns become numbers. */
function numbersAsNumbers(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8) return Number;
  return pg.types.getTypeParser(oid, format as 'text');
}
