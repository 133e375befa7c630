/** Opens the store at an address: `postgres://…`, or the file of a SQLite database. */
import { existsSync } from 'node:fs';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { parseAddress } from '../../base/values/address.ts';
import { storeAddressProblem } from './address.ts';
import type { Database } from './database.ts';
import { createTables, hasTables } from './schema.ts';

/** Opens the store, and makes the tables of a new one. @throws ProblemError if it cannot be opened, or another version made it */
export async function openStore(address: string): Promise<Database> {
  const database = await connect(address);
  try {
    await createTables(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Opens the store of a command that only reads. One that does not exist yet is empty, and is not made. @throws ProblemError */
export async function openStoreToRead(address: string): Promise<Database> {
  if (parseAddress(address).kind === 'path' && !existsSync(address)) return openStore(inMemory);
  const database = await connect(address);
  try {
    if (await hasTables(database)) return database;
  } catch (error) {
    await database.close();
    throw error;
  }
  await database.close();
  return openStore(inMemory);
}

/** Loads only the driver that is used. */
async function connect(address: string): Promise<Database> {
  const problem = address === inMemory ? undefined : storeAddressProblem(address);
  if (problem !== undefined) throw new ProblemError([problem]);
  const parsed = parseAddress(address);
  if (parsed.kind === 'server') return connectPostgres(parsed.url);
  try {
    return (await import('./sqlite.ts')).openSqlite(address);
  } catch (error) {
    const found = `cannot open ${address} as a store: ${error instanceof Error ? error.message : String(error)}`;
    const fix = 'name a new file in a writable folder, or a store that this service made';
    throw new ProblemError([{ code: 'unusable-store', found, fix }]);
  }
}

/** A SQLite database that ends with the process. */
const inMemory = ':memory:';

async function connectPostgres(address: string): Promise<Database> {
  const { openPostgres } = await import('./postgres.ts');
  try {
    return openPostgres(address);
  } catch {
    throw new ProblemError([unusableAddress]);
  }
}

/** Never echoes the address: it contains a password. */
const unusableAddress: Problem = {
  code: 'unusable-store',
  found: 'the address of the store is not a valid URL',
  allowed: 'postgres://USER:PASSWORD@HOST:PORT/DATABASE',
  fix: 'correct --store or WEBDATA_TRIGGERS_STORE; percent-encode special characters of the password, such as %40 for @',
};
