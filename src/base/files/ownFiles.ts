/** Folders and files of one user, below folders such as `/tmp` where other users can write too. */
import { accessSync, chmodSync, constants, lstatSync, mkdirSync, type Stats } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { type Problem, ProblemError } from '../diagnostics/problem.ts';

/**
 * Returns the folder that all processes of this user on this machine share, independent of TMPDIR and HOME. It is in `/tmp`, or, if
 * that is not writable, in the home folder of the user database. Only the last part of a folder is created. @throws ProblemError
 */
export function meetingFolder(candidates = meetingFolders(process.getuid?.())): string {
  const unusable: string[] = [];
  for (const folder of candidates) {
    try {
      makeOwnFolder(folder);
      accessSync(folder, constants.W_OK);
      return folder;
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      unusable.push(`${folder} (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
    }
  }
  throw new ProblemError([noFolder(unusable)]);
}

/** Creates a folder that only its owner can use, or checks an existing one. @throws ProblemError for the folder of another user */
export function makeOwnFolder(folder: string): void {
  try {
    // Not recursive, because a recursive mkdir never returns in a read-only file system such as /proc.
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const stats = lstatSync(folder);
  const uid = process.getuid?.();
  const wrong = ownershipProblem(stats);
  if (wrong !== undefined) throw new ProblemError([foreign(folder, wrong, uid)]);
  if (uid !== undefined && (stats.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

/** Reports whether a file or folder belongs to the user of this process; true on systems where files have no owners. */
function isOwn({ uid }: Pick<Stats, 'uid'>): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

function meetingFolders(uid: number | undefined): string[] {
  const home = homeInDatabase();
  const below = home === undefined ? [] : [join(home, '.webdata')];
  return uid === undefined ? below : [`/tmp/webdata-${uid}`, ...below];
}

/** Returns the home folder of the user database; `os.homedir` would use HOME. In containers, users are often in no database. */
function homeInDatabase(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}

function ownershipProblem(stats: Stats): string | undefined {
  if (stats.isSymbolicLink()) return 'is a symbolic link';
  if (!stats.isDirectory()) return 'is not a folder';
  return isOwn(stats) ? undefined : `belongs to user id ${stats.uid}`;
}

function foreign(folder: string, wrong: string, uid: number | undefined): Problem {
  return {
    code: 'foreign-folder',
    found: `${folder} ${wrong}`,
    allowed: uid === undefined ? 'a folder of your own' : `a folder of user id ${uid}`,
    fix: 'remove it, or ask its owner or an administrator to remove it',
  };
}

function noFolder(unusable: readonly string[]): Problem {
  return {
    code: 'no-lock-folder',
    found: `no folder for the lock of the account is writable: ${unusable.join(', ')}`,
    fix: 'make /tmp writable (in a container, mount an empty volume at /tmp), or set WEBDATA_STATE_FOLDER to a folder of your own that is',
  };
}

/** Returns a unique name with host and process id, so that the files of killed processes can be identified. */
export function ownName(): string {
  return `${hostname()}.${process.pid}.${crypto.randomUUID()}`;
}

/** Removes files of this user that killed processes left. */
export async function removeStale(folder: string, prefix = ''): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, host, pid] = (name.startsWith(prefix) && ownNamePattern.exec(name.slice(prefix.length))) || [];
    if (host === undefined) continue;
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => undefined);
    if (stats === undefined || !isOwn(stats)) continue;
    // In containers, ids repeat: a file with the id of this process is from an earlier one.
    const isGone =
      host === hostname() ? Number(pid) === process.pid || !isRunning(Number(pid)) : Date.now() - stats.mtimeMs > oldMs;
    if (isGone) await rm(path, { recursive: true, force: true });
  }
}

const ownNamePattern = /^(.+)\.(\d+)\.[\da-f-]{36}$/;

/** Reports whether a process of this machine runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** This is longer than any delivery can take. */
const oldMs = 3_600_000;
