/** The folder that replaces all destinations other than webhooks. */
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes a file that gets its name only when it is complete. An existing file of that name is replaced, as in a bucket. */
export async function writeIntoFolder(
  folder: string,
  path: string,
  { id, body, closing }: { id: string; body: Readable | string; closing: AbortSignal },
): Promise<'written' | 'unwritable'> {
  const file = join(folder, path);
  const part = join(dirname(file), `.${id}.part`);
  try {
    await mkdir(dirname(file), { recursive: true });
    await pipeline(typeof body === 'string' ? [body] : body, createWriteStream(part), { signal: closing });
    await rename(part, file);
    return 'written';
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    if (closing.aborted) throw error;
    return 'unwritable';
  }
}
