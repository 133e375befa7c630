/** Re-encrypts all literal secrets in the ledger with one key, so that earlier keys can be thrown away. */
import type { Sealer } from '../secrets/secrets.ts';
import type { Database, Queries } from '../store/database.ts';

interface Rotated {
  deliveries: number;
  schedules: number;
}

/** Uses the first key of the sealer, all or nothing. @throws ProblemError if a needed key is missing */
export function rotateKey(database: Database, sealer: Sealer): Promise<Rotated> {
  return database.transaction(async (queries) => ({
    deliveries: await resealAll(queries, sealer, 'deliveries', ['owner', 'name'], ['spec']),
    schedules: await resealAll(queries, sealer, 'schedules', ['id'], ['spec', 'brief']),
  }));
}

/** Returns how many rows changed. Reads the specs one by one: their inputs may be large. */
async function resealAll(
  queries: Queries,
  { reseal }: Sealer,
  table: string,
  keys: readonly string[],
  specs: readonly string[],
): Promise<number> {
  const all = await queries.query<Record<string, string>>(
    `SELECT ${keys.join(', ')} FROM ${table} WHERE ${specs[0]} LIKE '%"sealed":%' ORDER BY ${keys.join(', ')}`,
  );
  const where = keys.map((key) => `${key} = ?`).join(' AND ');
  let count = 0;
  for (const each of all) {
    const values = keys.map((key) => each[key] ?? '');
    const [row] = await queries.query<Record<string, string>>(
      `SELECT ${specs.join(', ')} FROM ${table} WHERE ${where} ${queries.dialect.lock}`,
      values,
    );
    const resealed = specs.map((column) => JSON.stringify(reseal(JSON.parse(row?.[column] ?? 'null'))));
    if (row === undefined || resealed.every((text, index) => text === row[specs[index] ?? ''])) continue;
    const set = specs.map((column) => `${column} = ?`).join(', ');
    await queries.query(`UPDATE ${table} SET ${set} WHERE ${where}`, [...resealed, ...values]);
    count += 1;
  }
  return count;
}
