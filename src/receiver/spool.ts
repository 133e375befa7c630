/** A delivery on disk before it has its name: whole, synced and hashed, or not there. */
import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ownName } from '../files/ownFiles.ts';

export interface Spooled {
  file: string;
  bytes: number;
  sha256: string;
}

/** Writes pieces to a file of its own, and shows each of them. What fails leaves nothing behind. */
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

/** Written to the disk while more comes, so that little is left to wait for at the end. */
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
      // Seen where it is awaited.
      syncing.catch(() => undefined);
    }
  } finally {
    await syncing;
  }
  return bytes;
}
