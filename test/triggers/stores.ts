/** Both stores, for tests that say the same of each: PostgreSQL is left out, visibly, where the machine has none. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { type Postgres, postgresPrograms, startPostgres } from './postgres.ts';

/** A busy machine takes its time to make a database. */
const startMs = 60_000;

/** An address of a new, empty store at each call. */
export type NewStore = () => Promise<string>;

export function describeStores(what: string, tests: (newStore: NewStore) => void): void {
  describe(`${what}, on SQLite`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'wd-sqlite-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    tests(async () => join(folder, `${randomBytes(6).toString('hex')}.db`));
  });
  describe.skipIf(postgresPrograms === undefined)(`${what}, on PostgreSQL`, () => {
    let postgres: Postgres;
    beforeAll(async () => {
      postgres = await startPostgres();
    }, startMs);
    afterAll(() => postgres?.remove());
    tests(async () => {
      const name = `t${randomBytes(6).toString('hex')}`;
      const admin = (await import('pg')).default;
      const client = new admin.Client({ connectionString: postgres.url });
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
      return postgres.url.replace('/postgres?', `/${name}?`);
    });
  });
}
