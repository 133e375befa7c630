/** The store in one table of a PostgreSQL database, which may be the database of the trigger service. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { ProblemError } from '../../../base/diagnostics/problem.ts';
import { openConnections, type PostgresConnections } from '../../../base/drivers/postgres.ts';
import { replicationRisk, timelineOf } from '../../../base/drivers/replication.ts';
import type { ObjectStore } from '../store.ts';
import { type Page, retryingStore, type StoreDriver, UncertainFailure } from './attempts.ts';
import { postgresProblem } from './postgresProblems.ts';

/** Connects on demand. @throws Error if the URL is not valid */
export function openPostgresStore(url: string): ObjectStore {
  const connections = openConnections(url, {
    max: 4,
    statementTimeoutMs: 10_000,
    idleTimeoutMs: 10_000,
    allowExitOnIdle: true,
  });
  return retryingStore(new PostgresDriver(connections));
}

class PostgresDriver implements StoreDriver {
  readonly address: string;
  readonly #connections: PostgresConnections;

  constructor(connections: PostgresConnections) {
    this.address = connections.name;
    this.#connections = connections;
  }

  async read(key: string) {
    const sql = `SELECT text, version, ${age} AS "ageMs" FROM webdata_backend WHERE key = $1`;
    const [row] = await this.#query<{ text: string; version: string; ageMs: number }>(sql, [key]);
    return row;
  }

  create(key: string, text: string): Promise<string | undefined> {
    return this.#write(
      `INSERT INTO webdata_backend (key, text, version, written_at) VALUES ($1, $2, $3, clock_timestamp())
       ON CONFLICT (key) DO NOTHING RETURNING version`,
      [key, text, randomUUID()],
    );
  }

  replace(key: string, text: string, version: string): Promise<string | undefined> {
    return this.#write(
      `UPDATE webdata_backend SET text = $2, version = $3, written_at = clock_timestamp()
       WHERE key = $1 AND version = $4 RETURNING version`,
      [key, text, randomUUID(), version],
    );
  }

  async remove(keys: readonly string[]): Promise<void> {
    await this.#query('DELETE FROM webdata_backend WHERE key = ANY($1)', [keys]);
  }

  async listPage(prefix: string, after: string | undefined): Promise<Page> {
    const rows = await this.#query<{ key: string }>(
      `SELECT key FROM webdata_backend WHERE key > $1 AND key >= $2 AND starts_with(key, $2)
       AND ($3::text IS NULL OR key < $3) ORDER BY key LIMIT ${longestPage}`,
      [after ?? '', prefix, endOfPrefix(prefix)],
    );
    return { keys: rows.map(({ key }) => key), hasMore: rows.length === longestPage };
  }

  timeline = () => timelineOf((text) => this.#connections.run({ text }));

  risk = () => replicationRisk((text) => this.#connections.run({ text }));

  close(): Promise<void> {
    return this.#connections.close();
  }

  /** Returns no rows if there is no table yet, so that reading writes nothing. */
  #query<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return this.#attempt(async () => {
      try {
        return await this.#connections.run<Row>({ text: sql, values });
      } catch (error) {
        if (isTableMissing(error)) return [];
        throw error;
      }
    });
  }

  #write(sql: string, values: readonly unknown[]): Promise<string | undefined> {
    const write = async () => (await this.#connections.run<{ version: string }>({ text: sql, values }))[0]?.version;
    return this.#attempt(async () => {
      try {
        return await write();
      } catch (error) {
        if (!isTableMissing(error)) throw error;
      }
      await this.#createTable();
      return write();
    });
  }

  /** Of two processes at the same time, the second waits for the first, and then finds the table. */
  async #createTable(): Promise<void> {
    await this.#connections.inTransaction(async ({ run, begun }) => {
      await begun;
      await run({ text: `SELECT pg_advisory_xact_lock(${tableLock})` });
      await run({
        text: `CREATE TABLE IF NOT EXISTS webdata_backend (
           key TEXT COLLATE "C" PRIMARY KEY, text TEXT NOT NULL, version TEXT NOT NULL, written_at TIMESTAMPTZ NOT NULL)`,
      });
    });
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const problem = postgresProblem(this.address, error);
      throw problem.code === 'backend-unreachable' ? new UncertainFailure(problem) : new ProblemError([problem]);
    }
  }
}

const longestPage = 1000;

const age = 'GREATEST(0, CAST(EXTRACT(EPOCH FROM clock_timestamp() - written_at) * 1000 AS BIGINT))';

/** An arbitrary key of an advisory lock; all processes must use the same. */
const tableLock = 7_221_999;

function isTableMissing(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '42P01';
}

/** Returns the first text after all texts that begin with the prefix, so that the index ends the search; null if there is none. */
function endOfPrefix(prefix: string): string | null {
  const last = prefix.codePointAt(prefix.length - 1);
  return last === undefined || last >= 0x7e ? null : prefix.slice(0, -1) + String.fromCodePoint(last + 1);
}
