/** Keeps two runs on one account apart, on this machine. The lock of a process that was killed expires after a few seconds. */
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import { z } from 'zod';
import { meetingFolder } from '../../files/ownFiles.ts';
import { parsedJson } from '../../values/plain.ts';
import type { LockOptions } from '../backend.ts';
import { holderSchema, type LockHolder, locked, lockLost, sleepUnless, thisHolder } from '../holder.ts';

/** A lock that was not renewed for this long has expired. */
const staleMs = 10_000;
const pollMs = 250;

/**
 * Runs `action` with the lock. Its signal is aborted if the lock is lost (this process was suspended, for example, and another one took the
 * lock). @throws ProblemError when another run holds the lock for longer than `timeoutMs`
 */
export async function withMachineLock<T>(
  key: string,
  options: LockOptions,
  action: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const file = lockFile(key);
  const release = await acquire(file, options, () => lost.abort(lockLost()));
  try {
    await writeHolder(file, options);
    return await action(lost.signal);
  } finally {
    const holder = await readHolder(file);
    // After `webdata unlock`, the lock may belong to another process before this one has noticed.
    if (!lost.signal.aborted && (holder === undefined || holder.pid === process.pid)) {
      await rm(holderFile(file), { force: true });
      await release().catch(ignoreBroken);
    }
  }
}

function ignoreBroken(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTACQUIRED') throw error;
}

export async function machineLockHolder(key: string): Promise<LockHolder | undefined> {
  const file = lockFile(key);
  if (!(await lockfile.check(file, { realpath: false, stale: staleMs }))) return undefined;
  return (await readHolder(file)) ?? unknownHolder;
}

/** The holder of a lock whose file of details is missing. */
const unknownHolder: LockHolder = {
  command: 'unknown',
  pid: 0,
  host: 'this machine',
  user: 'unknown',
  folder: 'unknown',
  since: 'an unknown time',
};

/** Removes the lock. Its holder notices that within seconds. */
export async function breakMachineLock(key: string): Promise<void> {
  const file = lockFile(key);
  await rm(`${file}.lock`, { recursive: true, force: true });
  await rm(holderFile(file), { force: true });
}

/** Reports whether this machine has a folder for locks. */
export function hasMachineLock(): boolean {
  try {
    return lockFolder() !== '';
  } catch {
    return false;
  }
}

function lockFolder(): string {
  // Tests play several machines on one.
  const { WEBDATA_TEST_MACHINE: folder } = process.env;
  return meetingFolder(folder ? [folder] : undefined);
}

function lockFile(key: string): string {
  return join(lockFolder(), createHash('sha256').update(key).digest('hex').slice(0, 32));
}

async function acquire(file: string, options: LockOptions, onCompromised: () => void): Promise<() => Promise<void>> {
  const { timeoutMs, onWait, signal } = options;
  const deadline = performance.now() + timeoutMs;
  for (let hasWaited = false; ; hasWaited = true) {
    try {
      return await lockfile.lock(file, { realpath: false, stale: staleMs, update: staleMs / 5, onCompromised });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error;
    }
    if (performance.now() >= deadline) throw locked(await readHolder(file), timeoutMs);
    if (!hasWaited) onWait?.(await readHolder(file));
    await sleepUnless(signal, pollMs);
  }
}

const holderInFile = holderSchema.extend({ since: z.string() });

function holderFile(file: string): string {
  return `${file}.holder.json`;
}

/** Writes the details for the message to other runs. The lock does not depend on them. */
async function writeHolder(file: string, options: LockOptions): Promise<void> {
  const holder: LockHolder = { ...thisHolder(options), since: new Date().toISOString() };
  await writeFile(holderFile(file), JSON.stringify(holder), { mode: 0o600 }).catch(() => undefined);
}

async function readHolder(file: string): Promise<LockHolder | undefined> {
  const text = await readFile(holderFile(file), 'utf8').catch(() => '');
  return holderInFile.safeParse(parsedJson(text)).data;
}
