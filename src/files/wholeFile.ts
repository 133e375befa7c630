/** Files that are written whole or not at all: written beside the target under a unique name, synced, and renamed. */
import { chmod, chown, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ownName, removeStale } from './ownFiles.ts';

interface WholeFileOptions {
  /** By default, the mode of the file that is replaced. */
  mode?: number;
  /** Replaces a symbolic link itself. By default, the file that it points to is replaced. */
  replacesLink?: boolean;
}

/** Writes the file. If that fails, the old file is unchanged and no partial file is left. */
export async function writeWholeFile(
  file: string,
  text: string | AsyncIterable<string>,
  options: WholeFileOptions = {},
): Promise<void> {
  const { mode, replacesLink = false } = options;
  const target = replacesLink ? resolve(file) : await realpath(file).catch(() => resolve(file));
  const folder = dirname(target);
  await tidied(folder);
  const part = join(folder, `${partPrefix}${ownName()}`);
  try {
    await writeSynced(part, text, mode);
    await copyOwnership(target, part, mode);
    await rename(part, target);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Starts with a dot so that partial files are hidden. */
const partPrefix = '.writing.';

/** Fails if the disk has room for only a part, which a single `write` would not report. */
async function writeSynced(
  part: string,
  text: string | AsyncIterable<string>,
  mode: number | undefined,
): Promise<void> {
  const handle = await open(part, 'wx', mode);
  try {
    await handle.writeFile(text);
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
