/** Creates and recognizes folders. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and those above it that are missing. In place of `mkdir` with `recursive`, which never returns in a file system such as /proc,
 * where no folder can be created. @throws the error of the file system
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if (await isFolder(folder)) return;
    const above = dirname(folder);
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isMissing || above === folder || (await isFolder(above))) throw error;
    await makeFolder(above, mode);
    await makeFolder(folder, mode);
  }
}

/** Returns false too for a path that cannot be read. */
export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
