/** Files that are whole or not there: written beside their place under a name of their own, synced, and renamed. */
import { chmod, chown, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ownName, removeStale } from './ownFiles.ts';

export interface WholeFileOptions {
  /** By default that of the file that is replaced. */
  mode?: number;
  /** Replaces a symbolic link itself. By default, the file that it points to is replaced. */
  replacesLink?: boolean;
}

/** If it fails, the file stays as it was, and nothing is left beside it. */
export async function writeWholeFile(file: string, text: string, options: WholeFileOptions = {}): Promise<void> {
  const { mode, replacesLink = false } = options;
  const target = replacesLink ? resolve(file) : await realpath(file).catch(() => resolve(file));
  const folder = dirname(target);
  await tidied(folder);
  const part = join(folder, `${partPrefix}${ownName()}`);
  try {
    await writeSynced(part, text, mode);
    await likeBefore(target, part, mode);
    await rename(part, target);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Hidden: it is not to be taken for a file that is whole. */
const partPrefix = '.writing.';

/** A disk with room for only a part is an error here: a single write would end without one, and short. */
async function writeSynced(part: string, text: string, mode: number | undefined): Promise<void> {
  const handle = await open(part, 'wx', mode);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** With the mode and the owner of the file that it replaces. */
async function likeBefore(target: string, part: string, mode: number | undefined): Promise<void> {
  const known = await stat(target).catch(() => undefined);
  // Whoever may not give a file away keeps it.
  if (known !== undefined) await chown(part, known.uid, known.gid).catch(() => undefined);
  const wanted = mode ?? known?.mode;
  if (wanted !== undefined) await chmod(part, wanted & 0o7777);
}

const tidiedFolders = new Map<string, Promise<void>>();

/** Parts that were left by processes which were killed may hold keys. They are looked for once a folder. */
function tidied(folder: string): Promise<void> {
  const known = tidiedFolders.get(folder) ?? removeStale(folder, partPrefix).catch(() => undefined);
  tidiedFolders.set(folder, known);
  return known;
}
