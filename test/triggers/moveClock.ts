import type { Database } from '../../src/triggers/store/database.ts';

/** Moves the clock of all servers on this store. */
export async function moveClock(database: Database, offsetMs: number): Promise<void> {
  await database.query(
    `INSERT INTO meta (key, value) VALUES ('clock_offset', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    [Math.round(offsetMs)],
  );
}

/** Returns the store with a clock that stands still. */
export function frozenAt(database: Database, now: number): Database {
  const dialect = { ...database.dialect, now: String(now) };
  return {
    ...database,
    dialect,
    transaction: (work) => database.transaction((queries) => work({ ...queries, dialect })),
  };
}
