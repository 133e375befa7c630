/** The ledger's clock: the clock of the database, so that all machines agree, plus an offset that only tests write. */
import type { Queries, SqlDialect } from '../store/database.ts';

export async function ledgerNow(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ now: number }>(`SELECT ${nowIn(queries.dialect)} AS now`);
  return Number(row?.now);
}

/** Returns the expression of the ledger's time. */
export function nowIn({ now }: SqlDialect): string {
  return `${now} + COALESCE((SELECT value FROM meta WHERE key = 'clock_offset'), 0)`;
}
