/** A real PostgreSQL of a test's own, in a temporary folder, reached by a socket in it; run by an unprivileged user, as it refuses root. */
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

export interface Postgres {
  /** `postgres://…` */
  url: string;
  /** At once, as after a crash. */
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

const run = promisify(execFile);

/** Where its programs are; undefined where there is none on this machine. */
export const postgresPrograms: string | undefined = programs();

export async function startPostgres(): Promise<Postgres> {
  if (postgresPrograms === undefined) throw new Error('this machine has no PostgreSQL');
  const programs = postgresPrograms;
  const identity = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), 'wd-pg-'));
  if (identity !== undefined) chownSync(folder, identity.uid, identity.gid);
  chmodSync(folder, 0o755);
  const data = join(folder, 'data');
  const call = (program: string, ...args: string[]) =>
    run(join(programs, program), args, {
      ...identity,
      cwd: folder,
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
    });
  await call('initdb', '-D', data, '-U', 'webdata', '-A', 'trust', '-E', 'UTF8', '--no-sync');
  const options = `-c listen_addresses= -c unix_socket_directories=${folder} -c max_connections=120`;
  // pg_ctl hands its own stdout to the server, which keeps it open: `-l` gives the server a file.
  const start = async () =>
    void (await call('pg_ctl', 'start', '-w', '-D', data, '-l', join(folder, 'log'), '-o', options));
  const stop = async () => void (await call('pg_ctl', 'stop', '-w', '-m', 'immediate', '-D', data));
  await start();
  return {
    url: `postgres://webdata@/postgres?host=${encodeURIComponent(folder)}`,
    start,
    stop,
    async remove() {
      if (existsSync(join(data, 'postmaster.pid'))) await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function programs(): string | undefined {
  const versions = '/usr/lib/postgresql';
  const installed = existsSync(versions) ? readdirSync(versions).map((version) => join(versions, version, 'bin')) : [];
  const onPath = (process.env.PATH ?? '').split(delimiter);
  return [...installed.sort().reverse(), ...onPath].find(
    (bin) => existsSync(join(bin, 'initdb')) && existsSync(join(bin, 'pg_ctl')),
  );
}

function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (user === undefined) throw new Error('there is no unprivileged user to run PostgreSQL');
  return { uid: Number(user[2]), gid: Number(user[3]) };
}
