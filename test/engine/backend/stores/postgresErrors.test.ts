/** The errors of PostgreSQL, and what an account of the database needs. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, it } from 'vitest';
import { openObjectStore } from '../../../../src/engine/backend/store/open.ts';
import { postgresProblem } from '../../../../src/engine/backend/store/postgresProblems.ts';
import { openStore } from '../../../../src/triggers/store/open.ts';
import { describePostgres } from '../../../triggers/stores.ts';

describePostgres('a store in PostgreSQL', (newStore) => {
  it('whose database does not exist', async () => {
    const url = (await newStore()).replace(/\/t\w+\?/, '/absent?');
    await expectProblem(url, 'backend-absent', 'the database does not exist');
  });

  it('whose user may not create the table, and then may', async () => {
    const url = await newStore();
    const name = `r${randomBytes(6).toString('hex')}`;
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`CREATE ROLE ${name} LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC`);
    const limited = url.replace('webdata@', `${name}:canary-password@`);
    await expectProblem(limited, 'backend-denied', 'the user has no permission');
    const owner = await openObjectStore(url, {});
    await owner.create('lock', 'text');
    await client.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON webdata_backend TO ${name}`);
    const store = await openObjectStore(limited, {});
    expect(await store.create('lock', 'other')).toBeUndefined();
    expect((await store.read('lock'))?.text).toBe('text');
    await client.query(`REVOKE ALL ON webdata_backend FROM ${name}`);
    await expectProblem(limited, 'backend-denied', 'the user has no permission');
    await client.query(`DROP ROLE ${name}`);
    await Promise.all([client.end(), owner.close(), store.close()]);
  });

  it('whose encoding is not UTF-8', async () => {
    const url = await newStore();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const name = `l${randomBytes(6).toString('hex')}`;
    await client.query(`CREATE DATABASE ${name} ENCODING LATIN1 LOCALE 'C' TEMPLATE template0`);
    const latin = url.replace(/\/t\w+\?/, `/${name}?`);
    await expectProblem(latin, 'backend-unsuitable', 'its encoding is LATIN1, not UTF8');
    await expect(openStore(latin)).rejects.toMatchObject({
      problems: [{ code: 'store-unsuitable', found: expect.stringContaining('its encoding is LATIN1, not UTF8') }],
    });
    await client.end();
  });

  it('that is read-only can be read', async () => {
    const url = await newStore();
    const owner = await openObjectStore(url, {});
    await owner.create('lock', 'text');
    const readOnly = `${url}&options=-c%20default_transaction_read_only%3Don`;
    const store = await openObjectStore(readOnly, {});
    expect((await store.read('lock'))?.text).toBe('text');
    await expectProblem(readOnly, 'backend-read-only', 'is read-only');
    await Promise.all([owner.close(), store.close()]);
  });

  it('whose connections are ended between two calls is reached again', async () => {
    const url = await newStore();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const store = await openObjectStore(url, {});
    await store.create('lock', 'text');
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    expect((await store.read('lock'))?.text).toBe('text');
    expect(await store.create('log/1', 'text')).toEqual(expect.any(String));
    await Promise.all([client.end(), store.close()]);
  });
});

it.each([
  ['28P01', 'backend-denied'],
  ['28000', 'backend-denied'],
  ['53300', 'backend-unreachable'],
  ['57P03', 'backend-unreachable'],
  ['08006', 'backend-unreachable'],
  ['53100', 'backend-full'],
  ['XX000', 'backend-refused'],
])('SQLSTATE %s is %s, without the message of the database', (state, code) => {
  const error = Object.assign(new pg.DatabaseError('canary', 6, 'error'), { code: state });
  const problem = postgresProblem('postgres://host:5432/state', error);
  expect(problem.code).toBe(code);
  expect(JSON.stringify(problem)).not.toContain('canary');
});

async function expectProblem(url: string, code: string, found: string): Promise<void> {
  const store = await openObjectStore(url, {});
  const error = await store.create('log/9', 'text').catch((thrown: unknown) => thrown);
  await store.close();
  expect(error).toMatchObject({ problems: [{ code, found: expect.stringContaining(found), fix: expect.any(String) }] });
  expect(JSON.stringify(error)).not.toContain('canary');
}
