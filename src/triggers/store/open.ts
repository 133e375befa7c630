/** Opens the store at an address: `postgres://…`, or the file of a SQLite database. */
import { type Problem, ProblemError } from '../../diagnostics/problem.ts';
import type { Database } from './database.ts';
import { migrateStore } from './migrations.ts';

/** Opens and upgrades the store. @throws ProblemError if it cannot be opened, or a newer version made it */
export async function openStore(address: string): Promise<Database> {
  const database = await connect(address);
  try {
    await migrateStore(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Loads only the driver that is used. */
async function connect(address: string): Promise<Database> {
  if (/^postgres(ql)?:/.test(address)) return connectPostgres(address);
  const other = /^([a-z][a-z\d+.-]+):\/\//i.exec(address)?.[1];
  if (other !== undefined) throw new ProblemError([unknownStore(other)]);
  try {
    return (await import('./sqlite.ts')).openSqlite(address);
  } catch (error) {
    throw new ProblemError([unusableFile(address, error)]);
  }
}

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

function unknownStore(scheme: string): Problem {
  return {
    code: 'unknown-store',
    found: `${scheme}:// stores are not supported`,
    allowed: 'postgres://…, or a file name for SQLite',
    fix: 'set --store or WEBDATA_TRIGGERS_STORE',
  };
}

function unusableFile(file: string, error: unknown): Problem {
  const why = error instanceof Error ? error.message : String(error);
  return {
    code: 'unusable-store',
    found: `cannot open ${file} as a store: ${why}`,
    fix: 'name a new file in a writable folder, or a store that this service made',
  };
}
