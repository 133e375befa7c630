/** Writes a stream to a file that has its name only once it is whole. */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** Returns the number of bytes. What fails leaves nothing behind, and a file of this name as it was. */
export async function saveStream(pieces: AsyncIterable<Uint8Array>, file: string): Promise<number> {
  // Beside the file: only there is renaming it one step.
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
