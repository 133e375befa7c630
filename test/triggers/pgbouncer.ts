/** Starts a real PgBouncer before the PostgreSQL cluster of the tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'vitest';
import { freePort } from '../freePort.ts';
import { unprivilegedUser } from './postgres.ts';

export type PoolMode = 'session' | 'transaction';

/** The program; undefined if this machine has none. */
export const pgbouncerProgram: string | undefined = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  .map((folder) => join(folder, 'pgbouncer'))
  .find((file) => existsSync(file));

/** Returns the address of a database through a PgBouncer with its default settings, and few sessions, so that clients share them. */
export async function throughPgbouncer(
  database: string,
  mode: PoolMode,
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
): Promise<string> {
  if (pgbouncerProgram === undefined) throw new Error('PgBouncer is not installed on this machine');
  const { pathname, searchParams } = new URL(database.replace('@/', '@localhost/'));
  const folder = mkdtempSync(join(tmpdir(), 'wd-bouncer-'));
  const port = await freePort();
  writeFileSync(join(folder, 'users.txt'), '"webdata" ""\n');
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${searchParams.get('host')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = ${mode}
default_pool_size = ${mode === 'transaction' ? 3 : 20}
`,
  );
  // PgBouncer refuses to run as root.
  const identity = unprivilegedUser();
  if (identity !== undefined) chownSync(folder, identity.uid, identity.gid);
  chmodSync(folder, 0o755);
  const server = spawn(pgbouncerProgram, [join(folder, 'pgbouncer.ini')], {
    ...identity,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(async () => {
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  for await (const line of createInterface(server.stderr)) if (line.includes('process up')) break;
  server.stderr.resume();
  return `postgres://webdata@127.0.0.1:${port}${pathname}`;
}
