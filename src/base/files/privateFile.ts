/** Opens files that belong to this tool and that only their owner may read. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Problem, ProblemError } from '../diagnostics/problem.ts';

/**
 * Opens a regular file and removes the permissions of other users. Does not follow a symbolic link and does not wait
 * for the other end of a named pipe. @throws ProblemError for anything but a regular file
 */
export async function openPrivateFile(file: string, use: 'read' | 'append'): Promise<FileHandle> {
  const flags = use === 'read' ? O_RDONLY : O_RDWR | O_APPEND | O_CREAT;
  const handle = await open(file, flags | noFollow | O_NONBLOCK, 0o600).catch((error: NodeJS.ErrnoException) => {
    const what = notRegular[error.code ?? ''];
    throw what === undefined ? error : new ProblemError([notAFile(file, what)]);
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile())
      throw new ProblemError([notAFile(file, stats.isDirectory() ? 'a folder' : 'not a regular file')]);
    // Only the owner can do this: a file of another user stays as it is.
    if ((stats.mode & 0o077) !== 0) await handle.chmod(stats.mode & 0o700).catch(() => undefined);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const { O_RDONLY, O_RDWR, O_APPEND, O_CREAT, O_NONBLOCK = 0, O_NOFOLLOW: noFollow = 0 } = constants;

/** Error codes of `open` for a symbolic link, a folder, and a pipe or a socket. */
const notRegular: Readonly<Record<string, string>> = {
  ELOOP: 'a symbolic link',
  EISDIR: 'a folder',
  ENXIO: 'a pipe or a socket',
};

function notAFile(file: string, what: string): Problem {
  return {
    code: 'not-a-journal',
    found: `${basename(file)} is ${what}`,
    allowed: 'a regular file',
    fix: 'remove it, or name another file with --journal',
  };
}
