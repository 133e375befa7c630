/** Opens the store that an address names: `postgres://…`, or the file of a SQLite database. */
import { type Problem, ProblemError } from '../../diagnostics/problem.ts';
import type { Database } from './database.ts';
import { migrate } from './migrations.ts';

/** Ready to be used. @throws ProblemError where it can't be opened, or was made by a newer version */
export async function openStore(address: string): Promise<Database> {
  const database = await connect(address);
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Each is loaded only where it is used. */
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

/** What it is holds a password. */
const unusableAddress: Problem = {
  code: 'unusable-store',
  found: 'the address of the store can not be read',
  allowed: 'postgres://USER:PASSWORD@HOST:PORT/DATABASE',
  fix: 'correct --store or WEBDATA_TRIGGERS_STORE; what is special in a password is percent-encoded: %40 for @',
};

function unknownStore(scheme: string): Problem {
  return {
    code: 'unknown-store',
    found: `a store of the kind ${scheme}`,
    allowed: 'postgres://…, or a file for SQLite',
    fix: 'set --store or WEBDATA_TRIGGERS_STORE',
  };
}

function unusableFile(file: string, error: unknown): Problem {
  const why = error instanceof Error ? error.message : String(error);
  return {
    code: 'unusable-store',
    found: `${file} can't be opened as a store: ${why}`,
    fix: 'name a file in a folder that can be written, or one that this service made',
  };
}
