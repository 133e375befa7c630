/** Writes a delivery to a temporary file: complete, synced and hashed, or not at all. */
import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ownName } from '../files/ownFiles.ts';

export interface Spooled {
  file: string;
  bytes: number;
  sha256: string;
}

/** Writes pieces to a new file, and passes each to `see`. Leaves nothing behind if it fails. */
export async function spool(
  pieces: AsyncIterable<Buffer>,
  folder: string,
  see: (piece: Buffer) => void,
): Promise<Spooled> {
  const file = join(folder, ownName());
  const handle = await open(file, 'wx');
  try {
    const hash = createHash('sha256');
    const bytes = await write(pieces, handle, (piece) => {
      hash.update(piece);
      see(piece);
    });
    await handle.sync();
    return { file, bytes, sha256: hash.digest('hex') };
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** Syncs while more data arrives, so that the last sync is short. */
const syncEveryBytes = 32 * 1024 * 1024;

async function write(pieces: AsyncIterable<Buffer>, handle: FileHandle, see: (piece: Buffer) => void): Promise<number> {
  let [bytes, synced] = [0, 0];
  let syncing = Promise.resolve();
  try {
    for await (const piece of pieces) {
      see(piece);
      await handle.writeFile(piece);
      bytes += piece.length;
      if (bytes - synced < syncEveryBytes) continue;
      await syncing;
      synced = bytes;
      syncing = handle.datasync();
      // The error is thrown where the promise is awaited.
      syncing.catch(() => undefined);
    }
  } finally {
    await syncing;
  }
  return bytes;
}
