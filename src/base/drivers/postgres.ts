/**
 * Connections to PostgreSQL with time limits, and transactions that are retried if the database undid them. Settings are made once for each
 * session. A pooler such as PgBouncer may give each transaction to another session: there they are made for each transaction, and end with it.
 */
import type { Socket } from 'node:net';
import pg from 'pg';
import { patientTimeout } from '../values/patientTimeout.ts';
import { withoutModeAliases } from './postgresAddress.ts';
import { WrongEncoding } from './postgresFailure.ts';

interface ConnectionOptions {
  max: number;
  /** A statement that takes longer is given up, and its connection closed. */
  statementTimeoutMs: number;
  /** A transaction that pauses longer is undone: its process was suspended, and others wait for its locks. */
  idleTimeoutMs: number;
  /** Ends the process even if idle connections are open. */
  allowExitOnIdle?: boolean;
  /** Further settings of each transaction. */
  settings?: Readonly<Record<string, string | number>>;
}

/** A statement with a name is planned once for each session, if the sessions keep their statements. */
export interface Statement {
  name?: string;
  text: string;
  values?: readonly unknown[];
}

export type RunStatement = <Row>(statement: Statement) => Promise<Row[]>;

export interface Transaction {
  run: RunStatement;
  /** Sends a statement whose answer the work need not wait for. If it fails, the transaction fails. */
  send(statement: Statement): void;
  /** Until it resolves, the work may only read: BEGIN may still fail. */
  begun: Promise<unknown>;
}

export interface PostgresConnections {
  /** The address without user and password, for messages. */
  readonly name: string;
  /** Runs one statement in a transaction of its own. */
  run: RunStatement;
  inTransaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const connectTimeoutMs = 5000;

/**
 * Connects on demand, so that an unreachable database is an error of the query.
 * @throws Error if the address is not valid
 */
export function openConnections(
  url: string,
  { statementTimeoutMs, idleTimeoutMs, settings, ...options }: ConnectionOptions,
): PostgresConnections {
  const connectionString = withoutModeAliases(url);
  // The pool would report an invalid address with each connection, which would look like an unreachable database.
  const { host, port, database = '' } = new pg.Client({ connectionString });
  const wanted = Object.entries({
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleTimeoutMs,
    ...settings,
  });
  const ask = asking(statementTimeoutMs + connectTimeoutMs);
  const pooled = new WeakSet<pg.ClientBase>();
  const pool = new pg.Pool({
    ...options,
    onConnect: async (client) => {
      if (await isPooled(client, ask)) pooled.add(client);
      else await ask(client, wanted.map(([name, value]) => `SET ${name} = ${value}`).join('; '));
    },
    connectionString,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    pipeline: true,
    types: { getTypeParser: numbersAsNumbers },
  });
  // An idle connection broke: the next query opens another one.
  pool.on('error', () => undefined);
  let keepsStatements = true;
  const onUndone = (code: string | undefined) => {
    if (code !== undefined && lostStatements.has(code)) keepsStatements = false;
  };
  const locally = ['BEGIN', ...wanted.map(([name, value]) => `SET LOCAL ${name} = ${value}`)].join('; ');
  const beginOn = (client: pg.PoolClient) => (pooled.has(client) ? locally : 'BEGIN');
  const runOn =
    (client: pg.PoolClient): RunStatement =>
    async <Row>({ name, text, values = [] }: Statement) => {
      const { rows } = await ask(client, { text, values: [...values], ...(keepsStatements && name ? { name } : {}) });
      return rows as Row[];
    };
  return {
    name: `postgres://${host}:${port}/${database}`,
    run: <Row>(statement: Statement) =>
      retryUndone(
        () =>
          withClient(pool, ask, (client) => {
            const run = () => runOn(client)<Row>(statement);
            return pooled.has(client)
              ? inOneTransaction(ask(client, locally), run, () => ask(client, 'COMMIT'))
              : run();
          }),
        onUndone,
      ),
    inTransaction: (work) =>
      retryUndone(
        () =>
          withClient(pool, ask, (client) =>
            transaction(ask(client, beginOn(client)), runOn(client), () => ask(client, 'COMMIT'), work),
          ),
        onUndone,
      ),
    close: () => pool.end(),
  };
}

type Ask = <Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  query: string | pg.QueryConfig,
) => Promise<pg.QueryResult<Row>>;

/** Returns a function that sends a query, and breaks the connection if no answer comes. In place of `query_timeout`, which throws answers away after a pause of this process. */
function asking(timeoutMs: number): Ask {
  return <Row extends pg.QueryResultRow>(client: pg.ClientBase, query: string | pg.QueryConfig) => {
    const { stream } = (client as pg.ClientBase & { connection: { stream: Socket } }).connection;
    const cancel = patientTimeout(() => stream.destroy(new Error('timeout: no answer')), timeoutMs);
    return client.query<Row>(query).finally(cancel);
  };
}

/**
 * Returns whether a pooler answers in the place of the server: it has its own idea of which process this connection belongs to.
 * @throws WrongEncoding if the database cannot store every text
 */
async function isPooled(client: pg.ClientBase, ask: Ask): Promise<boolean> {
  const { rows } = await ask<{ pid: number; encoding: string }>(
    client,
    `SELECT pg_backend_pid() AS pid, current_setting('server_encoding') AS encoding`,
  );
  const [{ pid, encoding } = { pid: 0, encoding: '' }] = rows;
  if (encoding !== 'UTF8') throw new WrongEncoding(encoding);
  return pid !== (client as pg.ClientBase & { processID?: number }).processID;
}

async function transaction<T>(
  begun: Promise<unknown>,
  run: RunStatement,
  commit: () => Promise<unknown>,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  begun.catch(() => undefined);
  const sent: Promise<unknown>[] = [];
  const send = (statement: Statement) => {
    const answer = run(statement);
    answer.catch(() => undefined);
    sent.push(answer);
  };
  try {
    const result = await work({ run, send, begun });
    await begun;
    // If a statement has failed, PostgreSQL undoes the transaction instead.
    await Promise.all([...sent, commit()]);
    return result;
  } catch (error) {
    // After a statement has failed, all later ones fail, without the cause.
    await Promise.all(sent);
    throw error;
  }
}

/** Sends the whole transaction without waiting for an answer. */
async function inOneTransaction<T>(
  begun: Promise<unknown>,
  run: () => Promise<T>,
  commit: () => Promise<unknown>,
): Promise<T> {
  const sent = [begun, run(), commit()] as const;
  // The connection must not be released while answers are on their way.
  await Promise.allSettled(sent);
  await sent[0];
  const result = await sent[1];
  await sent[2];
  return result;
}

async function withClient<T>(pool: pg.Pool, ask: Ask, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A break between two queries is reported by the next query.
  client.on('error', () => undefined);
  try {
    return await work(client);
  } catch (error) {
    // After a database error, closes the connection: its prepared statements may refer to a table that has changed since.
    if (error instanceof pg.DatabaseError) broken = error;
    await ask(client, 'ROLLBACK').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.removeAllListeners('error');
    client.release(broken);
  }
}

/** A pooler gave the transaction to a session that lacks a statement of the former one, or has it already. */
const lostStatements: ReadonlySet<string> = new Set(['26000', '42P05']);

/**
 * Codes of errors that rolled everything back, so that a retry is safe: the database ended one of two deadlocked transactions, or a
 * newer version changed the tables while this one had plans for them, or a statement was lost.
 */
const undone: ReadonlySet<unknown> = new Set(['40P01', '40001', '0A000', ...lostStatements]);
const maxAttempts = 5;

async function retryUndone<T>(
  attempt: () => Promise<T>,
  onUndone: (code: string | undefined) => void,
  tries = 1,
): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    const isUndone = error instanceof pg.DatabaseError && undone.has(error.code);
    if (!isUndone || tries === maxAttempts) throw error;
    onUndone(error.code);
    return retryUndone(attempt, onUndone, tries + 1);
  }
}

/** Times exceed 2^31 and stay far below 2^53, so BIGINT columns become numbers. */
function numbersAsNumbers(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8) return Number;
  return pg.types.getTypeParser(oid, format as 'text');
}
