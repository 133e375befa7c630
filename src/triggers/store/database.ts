/** The interface of both stores: the same SQL, with `?` for parameters, and a dialect for what differs. */

export type Value = string | number | null;

export interface Queries {
  query<Row = Record<string, Value>>(sql: string, parameters?: readonly Value[]): Promise<Row[]>;
}

export interface Database extends Queries {
  readonly dialect: SqlDialect;
  /** Commits all of the work or nothing. Rows that other transactions may change must be locked first, with the dialect's clauses. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface SqlDialect {
  name: 'sqlite' | 'postgres';
  /** An expression for the database's time in milliseconds. */
  now: string;
  /** The type of an auto-increment column. */
  serial: string;
  /** A suffix of SELECT that locks its rows until the transaction ends, and leaves out rows that others have locked. */
  skipLocked: string;
  /** A suffix of SELECT that waits for rows that others have locked, and locks them. */
  lock: string;
}

/**
 * Runs `work` for all items at once: PostgreSQL pipelines the statements. Waits for all of them even if one fails, because a statement
 * that is still running would otherwise continue outside the transaction.
 */
export async function inParallel<T, U>(items: readonly T[], work: (item: T) => Promise<U>): Promise<U[]> {
  const results = await Promise.allSettled(items.map(work));
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
