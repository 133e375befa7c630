/** Folders that belong to one user, in places such as `/tmp` where other users can write too. */
import { accessSync, chmodSync, constants, lstatSync, mkdirSync, type Stats } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type Problem, ProblemError } from '../diagnostics/problem.ts';

/**
 * Returns the folder where all processes of this user on this machine meet, whatever TMPDIR and HOME are. It is in `/tmp`; where that
 * cannot be written, it is in the home folder of the user database. @throws ProblemError
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

/** Makes a folder that only its owner can use, or checks that it is one. @throws ProblemError for the folder of another user */
export function makeOwnFolder(folder: string): void {
  try {
    // Not recursive: that never returns in a file system without writes, such as /proc.
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const stats = lstatSync(folder);
  const uid = process.getuid?.();
  const wrong = whatIsWrong(stats, uid);
  if (wrong !== undefined) throw new ProblemError([foreign(folder, wrong, uid)]);
  if (uid !== undefined && (stats.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

/** Whether a file or folder belongs to the user of this process; true where files have no owners. */
export function isOwn({ uid }: Pick<Stats, 'uid'>): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

function meetingFolders(uid: number | undefined): string[] {
  const home = homeInDatabase();
  const below = home === undefined ? [] : [join(home, '.webdata')];
  return uid === undefined ? below : [`/tmp/webdata-${uid}`, ...below];
}

/** `os.homedir` would believe HOME. Users of containers are often in no database. */
function homeInDatabase(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}

function whatIsWrong(stats: Stats, uid: number | undefined): string | undefined {
  if (stats.isSymbolicLink()) return 'is a symbolic link';
  if (!stats.isDirectory()) return 'is not a folder';
  return isOwn(stats) || uid === undefined ? undefined : `belongs to user id ${stats.uid}`;
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
    found: `no folder for the lock of the account can be written: ${unusable.join(', ')}`,
    fix: 'make /tmp writable; in a container, mount an empty volume at /tmp',
  };
}
