/** PGPASSWORD goes to no host that only the declaration names. */
import { expect, it } from 'vitest';
import { passwordHostProblem } from '../../../src/engine/backend/store/passwordHost.ts';
import { openDeclared } from '../../cli/harness.ts';

const [PGPASSWORD, PGHOST] = ['canary-password', 'db.example.com'];

it.each([
  'postgres://app@db.attacker.example/webdata',
  'postgresql://app@db.attacker.example:5432/webdata?sslmode=require',
  'POSTGRES://app@db.example.com/webdata?host=db.attacker.example',
  'postgres://app@/webdata?host=db.attacker.example',
  'postgres://app@/webdata?host=/tmp&host=db.attacker.example',
  'postgres://app@db%2Eattacker.example/webdata',
  'postgres://app@db.attacker.example-localhost/webdata',
  'postgres://app@127.0.0.1.db.attacker.example/webdata',
])('%s is refused', (address) => {
  expect(passwordHostProblem(address, { PGPASSWORD, PGHOST })?.found).toContain('db.attacker.example');
  expect(passwordHostProblem(address, {})).toBeUndefined();
});

it.each([
  'postgres://app@db.example.com/webdata',
  'postgres://app@DB.example.com:6432/webdata',
  'postgres://app@localhost/webdata',
  'postgres://app@[::1]/webdata',
  'postgres://app@/webdata?host=/var/run/postgresql',
  'postgres:///webdata',
  's3://bucket/prefix',
  '.webdata',
])('%s is not', (address) => {
  expect(passwordHostProblem(address, { PGPASSWORD, PGHOST })).toBeUndefined();
});

it('a command refuses the host, unless the environment names it, and never shows the password', async () => {
  await using place = await openDeclared('plain', 'backend: postgres://app@db.attacker.example/webdata\n');
  const { code, stdout, stderr } = await place.webdataWith({ env: { PGPASSWORD } }, 'history');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/webdata\.yaml:\d+:\d+: .*PGPASSWORD would be sent to db\.attacker\.example/s);
  expect(stderr).toContain('set PGHOST=db.attacker.example beside PGPASSWORD');
  expect(stderr).not.toContain(PGPASSWORD);
  const address = 'ftp://db.attacker.example';
  const named = await place.webdataWith({ env: { PGPASSWORD, WEBDATA_BACKEND: address } }, 'history');
  expect(named.stderr).toContain('ftp:// backends are not supported');
});
