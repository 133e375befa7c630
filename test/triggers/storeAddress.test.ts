/** Addresses and failures of PostgreSQL: what ends a start, and what a later attempt may mend. */
import pg from 'pg';
import { expect, it } from 'vitest';
import { hasSeveralHosts, withoutModeAliases } from '../../src/base/drivers/postgresAddress.ts';
import { openObjectStore } from '../../src/engine/backend/store/open.ts';
import { openStore } from '../../src/triggers/store/open.ts';
import { postgresOutage } from '../../src/triggers/store/storeFailure.ts';

it.each([
  ['postgres://u:p@a,b/db', true],
  ['postgres://u:p,w@a/db', false],
  ['postgres://a:5432,b:5433/db', true],
  ['postgres://u@/db?host=/run/a,/run/b', true],
  ['postgres://u@/db?host=/run/a&application_name=a,b', false],
])('%s names several hosts: %s', async (address, expected) => {
  expect(hasSeveralHosts(address)).toBe(expected);
  if (!expected) return;
  const problems = [
    {
      found: expect.stringContaining('names several hosts'),
      allowed: 'one host',
      fix: expect.stringContaining('PgBouncer'),
    },
  ];
  await expect(openStore(address)).rejects.toMatchObject({ problems });
  await expect(openObjectStore(address, {})).rejects.toMatchObject({ problems });
});

it.each(['prefer', 'require', 'verify-ca'])('sslmode=%s verifies the server, without a warning in the log', (mode) => {
  expect(withoutModeAliases(`postgres://a/b?sslmode=${mode}&x=1`)).toBe('postgres://a/b?sslmode=verify-full&x=1');
  const explicit = `postgres://a/b?uselibpqcompat=true&sslmode=${mode}`;
  expect(withoutModeAliases(explicit)).toBe(explicit);
});

const database = (code: string, message = 'canary') =>
  Object.assign(new pg.DatabaseError(message, 6, 'error'), { code });
const system = (code: string, message = 'canary') => Object.assign(new Error(message), { code });

it.each<[Error, string, boolean]>([
  [database('3D000'), 'store-absent', true],
  [database('28P01'), 'store-denied', true],
  [database('42501'), 'store-denied', true],
  [database('28000', 'no pg_hba.conf entry for host "canary", no encryption'), 'store-tls', true],
  [database('08P01', 'unsupported startup parameter: options'), 'store-refused', true],
  [database('08P01', 'no such database: canary'), 'store-absent', true],
  [database('08P01', 'server login has been failing, try again later'), 'store-away', false],
  [database('53100'), 'store-full', false],
  [database('25006'), 'store-read-only', false],
  [database('57P03'), 'store-away', false],
  [system('ECONNREFUSED'), 'store-away', false],
  [system('DEPTH_ZERO_SELF_SIGNED_CERT'), 'store-tls', true],
  [new Error('The server does not support SSL connections'), 'store-tls', true],
])('%s is %s; it ends the start: %s', (error, code, isPermanent) => {
  const failure = postgresOutage('postgres://ledger:5432/webdata', error);
  expect(failure).toMatchObject({ isPermanent, problem: { code, fix: expect.any(String) } });
  expect(failure?.problem.found).toMatch(/^the store postgres:\/\/ledger:5432\/webdata/);
  expect(JSON.stringify(failure?.problem)).not.toContain('canary');
});

it('an error of this program is not one of the store', () => {
  expect(postgresOutage('store', new TypeError('wrong'))).toBeUndefined();
});
