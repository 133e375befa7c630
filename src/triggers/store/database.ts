/** The interface of both stores: the same SQL, with `?` for parameters, and a dialect for what differs. */

export type Value = string | number | null;

export interface Queries {
  readonly dialect: SqlDialect;
  query<Row = Record<string, Value>>(sql: string, parameters?: readonly Value[]): Promise<Row[]>;
}

/** Failures of the store itself are `StoreOutage`s. */
export interface Database extends Queries {
  /** The file, or the address without user and password. */
  readonly name: string;
  /**
   * Returns a number that grows with each change of the store, by this process or another one. It costs much less than a query. Undefined if
   * the store has no such number.
   */
  version?(): number;
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
  /** Returns an item of FROM, named `it`, with the rows of a parameter that `rowSet` made. */
  rows(columns: Columns): string;
  /** Returns the condition that an indexed column equals a value of another table, to be found by the index of the column. */
  equals(column: string, value: string): string;
}

type Columns = Readonly<Record<string, 'TEXT' | 'BIGINT'>>;

/**
 * Returns any number of rows as one parameter, so that one statement handles them all and is planned once. Without NUL and broken
 * characters, which PostgreSQL cannot store and answers of the service may contain.
 */
export function rowSet(rows: readonly Readonly<Record<string, Value>>[]): string {
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'string' ? storable(value) : value));
}

export function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
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
