/** Names of files that a process is still writing, and what is done with those of processes that were killed. */
import { lstat, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isOwn } from './ownFolder.ts';

/** A name that tells whose file it is, so that what a process left behind is known from what one still writes. */
export function ownName(): string {
  return `${hostname()}.${process.pid}.${crypto.randomUUID()}`;
}

/** Removes the files of this user that killed processes left behind. */
export async function removeStale(folder: string, prefix = ''): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, host, pid] = (name.startsWith(prefix) && ownNamePattern.exec(name.slice(prefix.length))) || [];
    if (host === undefined) continue;
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => undefined);
    if (stats === undefined || !isOwn(stats)) continue;
    const isGone = host === hostname() ? !isRunning(Number(pid)) : Date.now() - stats.mtimeMs > oldMs;
    if (isGone) await rm(path, { recursive: true, force: true });
  }
}

const ownNamePattern = /^(.+)\.(\d+)\.[\da-f-]{36}$/;

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
