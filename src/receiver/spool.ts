/** A delivery on disk before it has its name: whole, synced and hashed, or not there. */
import { createHash } from 'node:crypto';
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

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

/** A name that tells whose file it is, so that what a process left behind is known from what one still writes. */
export function ownName(): string {
  return `${hostname()}.${process.pid}.${crypto.randomUUID()}`;
}

/** Removes what processes left behind that were killed. */
export async function removeStale(folder: string, prefix = ''): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, host, pid] = (name.startsWith(prefix) && ownNamePattern.exec(name.slice(prefix.length))) || [];
    if (host === undefined) continue;
    const path = join(folder, name);
    const isGone = host === hostname() ? !isRunning(Number(pid)) : await isOld(path);
    if (isGone) await rm(path, { recursive: true, force: true });
  }
}

const ownNamePattern = /^(.+)\.(\d+)\.[\da-f-]{36}$/;

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

/** Of this machine. In a container every process may have the same number: what bears this one's own was left by an earlier one. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Longer than any delivery may take. */
const oldMs = 3_600_000;

async function isOld(path: string): Promise<boolean> {
  const { mtimeMs } = await stat(path);
  return Date.now() - mtimeMs > oldMs;
}
