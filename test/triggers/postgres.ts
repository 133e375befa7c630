/** Starts real PostgreSQL clusters for tests and benchmarks: in a temporary folder, reached by a socket, as an unprivileged user. */
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

export interface Postgres {
  /** `postgres://…` */
  url: string;
  /** Stops it at once, as a crash would. */
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

const run = promisify(execFile);

/** The folder of PostgreSQL's programs; undefined if this machine has none. */
export const postgresPrograms: string | undefined = findPrograms();

/** Starts a cluster in an empty folder, by default a new temporary one. `settings` are further `-c name=value` options of the server. */
export async function startPostgres(folder = newPostgresFolder(), settings = ''): Promise<Postgres> {
  // PostgreSQL refuses to run as root.
  const identity = unprivilegedUser();
  if (identity !== undefined) chownSync(folder, identity.uid, identity.gid);
  chmodSync(folder, 0o755);
  const data = join(folder, 'data');
  await call(folder, 'initdb', '-D', data, '-U', 'webdata', '-A', 'trust', '-E', 'UTF8', '--no-sync');
  const options = `-c listen_addresses= -c unix_socket_directories=${folder} -c max_connections=120 ${settings}`;
  // pg_ctl hands its own stdout to the server, which keeps it open: `-l` gives the server a file.
  const start = async () =>
    void (await call(folder, 'pg_ctl', 'start', '-w', '-D', data, '-l', join(folder, 'log'), '-o', options));
  await start();
  return { url: postgresUrl(folder), start, stop: () => stop(folder), remove: () => removePostgres(folder) };
}

export function newPostgresFolder(): string {
  return mkdtempSync(join(tmpdir(), 'wd-pg-'));
}

export function postgresUrl(folder: string): string {
  return `postgres://webdata@/postgres?host=${encodeURIComponent(folder)}`;
}

/** Stops the cluster of this folder, if one runs, and removes the folder. */
export async function removePostgres(folder: string): Promise<void> {
  if (existsSync(join(folder, 'data', 'postmaster.pid'))) await stop(folder);
  rmSync(folder, { recursive: true, force: true });
}

async function stop(folder: string): Promise<void> {
  await call(folder, 'pg_ctl', 'stop', '-w', '-m', 'immediate', '-D', join(folder, 'data'));
}

function call(folder: string, program: string, ...args: string[]) {
  if (postgresPrograms === undefined) throw new Error('PostgreSQL is not installed on this machine');
  const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' };
  return run(join(postgresPrograms, program), args, { ...unprivilegedUser(), cwd: folder, env });
}

function findPrograms(): string | undefined {
  const versions = '/usr/lib/postgresql';
  const installed = existsSync(versions) ? readdirSync(versions).map((version) => join(versions, version, 'bin')) : [];
  const onPath = (process.env.PATH ?? '').split(delimiter);
  return [...installed.sort().reverse(), ...onPath].find(
    (bin) => existsSync(join(bin, 'initdb')) && existsSync(join(bin, 'pg_ctl')),
  );
}

/** Returns a user for programs that root must not run; undefined if this process is not root. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (user === undefined) throw new Error('there is no unprivileged user to run PostgreSQL');
  return { uid: Number(user[2]), gid: Number(user[3]) };
}
