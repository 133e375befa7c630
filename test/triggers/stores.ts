/** Runs the same tests on SQLite and on PostgreSQL; PostgreSQL is reported as skipped where the machine has none. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { postgresPrograms } from './postgres.ts';
import { sharedPostgres } from './sharedPostgres.ts';

/** A busy machine needs a while to make a cluster. */
const startMs = 60_000;

/** Returns the address of a new, empty store. */
export type NewStore = () => Promise<string>;

type StoreName = 'SQLite' | 'PostgreSQL';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The stores of this project: vitest.config.ts divides them between the projects. */
    stores: readonly StoreName[];
  }
}

export function describeStores(
  what: string,
  tests: (newStore: NewStore) => void,
  stores: readonly StoreName[] = inject('stores'),
): void {
  if (stores.includes('SQLite')) describeSqlite(`${what}, on SQLite`, tests);
  if (stores.includes('PostgreSQL')) describePostgres(`${what}, on PostgreSQL`, tests);
}

function describeSqlite(what: string, tests: (newStore: NewStore) => void): void {
  describe(what, () => {
    const folder = mkdtempSync(join(tmpdir(), 'wd-sqlite-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    tests(async () => join(folder, `${randomBytes(6).toString('hex')}.db`));
  });
}

export function describePostgres(what: string, tests: (newStore: NewStore) => void): void {
  describe.skipIf(postgresPrograms === undefined && process.env.CI === undefined)(what, () => {
    let url = '';
    let admin: pg.Client;
    beforeAll(async () => {
      url = await sharedPostgres(inject('postgresFolder'));
      admin = new pg.Client({ connectionString: url });
      await admin.connect();
    }, startMs);
    afterAll(() => admin?.end());
    tests(async () => {
      const name = `t${randomBytes(6).toString('hex')}`;
      await admin.query(`CREATE DATABASE ${name}`);
      return url.replace('/postgres?', `/${name}?`);
    });
  });
}
