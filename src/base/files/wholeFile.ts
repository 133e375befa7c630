/** Files that are written whole or not at all: written beside the target under a unique name, synced, and renamed. */
import { chmod, chown, copyFile, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ownName, removeStale } from './ownFiles.ts';

/** Text or bytes, as a whole or as they arrive. */
export type Pieces = string | AsyncIterable<string | Uint8Array>;

interface WholeFileOptions {
  /** By default, the mode of the file that is replaced. */
  mode?: number | undefined;
  /** Replaces a symbolic link itself. By default, the file that it points to is replaced. */
  replacesLink?: boolean;
}

/** Writes the file. If that fails, the old file is unchanged and no partial file is left. */
export async function writeWholeFile(file: string, content: Pieces, options: WholeFileOptions = {}): Promise<void> {
  const { mode, replacesLink = false } = options;
  const target = replacesLink ? resolve(file) : await linkTarget(file);
  const folder = dirname(target);
  await tidied(folder);
  const part = join(folder, `${partPrefix}${ownName()}`);
  try {
    await writeSynced(part, content, mode);
    await copyOwnership(target, part, mode);
    await rename(part, target).catch((error: NodeJS.ErrnoException) => {
      // A file that is mounted, as containers mount one, can be written but not replaced.
      if (error.code !== 'EBUSY') throw error;
      return copyFile(part, target).then(() => rm(part));
    });
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Returns the path that symbolic links lead to, also if no file is there yet. */
export async function linkTarget(file: string): Promise<string> {
  let path = resolve(file);
  for (let links = 0; links < mostLinks; links += 1) {
    const next = await nextOfLink(path);
    if (next === undefined) return path;
    path = next;
  }
  throw Object.assign(new Error('too many symbolic links'), { code: 'ELOOP', syscall: 'readlink' });
}

/** As many as systems follow. */
export const mostLinks = 40;

/** Returns the path that a symbolic link names. Undefined for anything else. */
export async function nextOfLink(path: string): Promise<string | undefined> {
  const next = await readlink(path).catch(() => undefined);
  return next === undefined ? undefined : resolve(await realpath(dirname(path)), next);
}

/** Starts with a dot so that partial files are hidden. */
const partPrefix = '.writing.';

/** Fails if the disk has room for only a part, which a single `write` would not report. */
async function writeSynced(part: string, content: Pieces, mode: number | undefined): Promise<void> {
  const handle = await open(part, 'wx', mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Gives the part the mode and the owner of the file that it replaces. */
async function copyOwnership(target: string, part: string, mode: number | undefined): Promise<void> {
  const known = await stat(target).catch(() => undefined);
  // Without the right to change the owner, the file belongs to this user.
  if (known !== undefined) await chown(part, known.uid, known.gid).catch(() => undefined);
  const wanted = mode ?? known?.mode;
  if (wanted !== undefined) await chmod(part, wanted & 0o7777);
}

const tidiedFolders = new Map<string, Promise<void>>();

/** Removes partial files of killed processes, which may hold keys. Searches each folder once. */
function tidied(folder: string): Promise<void> {
  const known = tidiedFolders.get(folder) ?? removeStale(folder, partPrefix).catch(() => undefined);
  tidiedFolders.set(folder, known);
  return known;
}
