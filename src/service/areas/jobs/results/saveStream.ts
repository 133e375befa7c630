/** Writes a stream to a file that gets its name only when it is complete. */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** Returns the number of bytes. A failure leaves nothing behind, and an existing file of this name unchanged. */
export async function saveStream(pieces: AsyncIterable<Uint8Array>, file: string): Promise<number> {
  // In the same folder, where renaming is atomic.
  const part = `${file}.${randomBytes(6).toString('hex')}.part`;
  const output = createWriteStream(part, { flags: 'wx', flush: true });
  try {
    await pipeline(pieces, output);
    await rename(part, file);
    return output.bytesWritten;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
