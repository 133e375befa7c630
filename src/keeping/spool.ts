/** Writes a delivery to a temporary file: complete, synced and hashed, or not at all. */
import { createHash } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ownName } from '../base/files/ownFiles.ts';

export interface Spooled {
  file: string;
  bytes: number;
  sha256: string;
}

/** Syncs while more data arrives, so that the last sync is short. */
const syncEveryBytes = 32 * 1024 * 1024;

/** Creates the folder if it is missing, as after a remount, but none above it. */
export async function openSpool(folder: string) {
  const file = join(folder, ownName());
  const handle = await open(file, 'wx').catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await mkdir(folder, { mode: 0o700 }).catch(orExisting);
    return open(file, 'wx');
  });
  const hash = createHash('sha256');
  let [bytes, synced, isFinished] = [0, 0, false];
  let syncing = Promise.resolve();
  return {
    async write(piece: Buffer): Promise<void> {
      hash.update(piece);
      await handle.writeFile(piece);
      bytes += piece.length;
      if (bytes - synced < syncEveryBytes) return;
      await syncing;
      synced = bytes;
      syncing = handle.datasync();
      // The error is thrown where the promise is awaited.
      syncing.catch(() => undefined);
    },
    /** Syncs and closes the file. */
    async finish(): Promise<Spooled> {
      await syncing;
      await handle.sync();
      await handle.close();
      isFinished = true;
      return { file, bytes, sha256: hash.digest('hex') };
    },
    /** Closes and removes the file, unless it is finished. */
    async discard(): Promise<void> {
      if (isFinished) return;
      await syncing.catch(() => undefined);
      await handle.close().catch(() => undefined);
      await rm(file, { force: true });
    },
  };
}

/** Another delivery may have created the folder meanwhile. */
export function orExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

export function orNoFile(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Writes pieces to a new file, and passes each to `see`. Leaves nothing behind if it fails. */
export async function spool(
  pieces: AsyncIterable<Buffer>,
  folder: string,
  see?: (piece: Buffer) => void,
): Promise<Spooled> {
  const opened = await openSpool(folder);
  try {
    for await (const piece of pieces) {
      see?.(piece);
      await opened.write(piece);
    }
    return await opened.finish();
  } catch (error) {
    await opened.discard();
    throw error;
  }
}
