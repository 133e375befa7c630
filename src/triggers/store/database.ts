/** What SQLite and PostgreSQL have in common: the same SQL, with `?` for parameters, and what each says in its own words. */

export type Value = string | number | null;

export interface Queries {
  query<Row = Record<string, Value>>(sql: string, parameters?: readonly Value[]): Promise<Row[]>;
}

export interface Database extends Queries {
  readonly dialect: Dialect;
  /** All of it or nothing. Whoever changes what others may be changing too locks it first, with the words of the dialect. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface Dialect {
  name: 'sqlite' | 'postgres';
  /** The time of the database, in milliseconds. */
  now: string;
  /** A column that counts up by itself. */
  serial: string;
  /** After a SELECT: its rows are this transaction's until it ends, and those of others are left out. */
  skipLocked: string;
  /** After a SELECT: waits for the rows that others hold. */
  lock: string;
}

/**
 * Each of these at once, as PostgreSQL is told many statements in the time of one. Ends when the last has ended: what was still under way
 * after a failure would go on outside of its transaction.
 */
export async function together<T, U>(items: readonly T[], work: (item: T) => Promise<U>): Promise<U[]> {
  const results = await Promise.allSettled(items.map(work));
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
