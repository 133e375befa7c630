/** Keeps two runs on one account apart, on this machine. The lock of a process that was killed expires after a few seconds. */
import { createHash, randomUUID } from 'node:crypto';
import { rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import lockfile from 'proper-lockfile';
import { z } from 'zod';
import { readTextFile } from '../../../base/files/textFile.ts';
import { parsedJson } from '../../../base/values/plain.ts';
import type { LockOptions } from '../backend.ts';
import { holderSchema, type LockHolder, locked, lockLost, sleepUnless, thisHolder } from '../holder.ts';
import { type MachineVariables, machineFolder } from './machineFolder.ts';

/** A lock that was not renewed for this long has expired. */
const staleMs = 10_000;
/** No process may take a lock that was renewed within this time, with room for a write that is about to be sent. */
const freshMs = staleMs / 2;
const pollMs = 250;

/** A lock of this machine. The variables name the folder that the log of paid calls is in, too. */
export interface MachineLock {
  /** Runs with the same key exclude each other. */
  key: string;
  env: MachineVariables;
}

/**
 * Runs `action` with the lock. Its signal is aborted if the lock is lost (this process was suspended, for example, and another one took the
 * lock). `assertHeld` looks at the lock itself, because a process that was suspended does not know yet.
 * @throws ProblemError when another run holds the lock for longer than `timeoutMs`
 */
export async function withMachineLock<T>(
  lock: MachineLock,
  options: LockOptions,
  action: (lost: AbortSignal, assertHeld: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const lose = () => lost.abort(lockLost());
  const file = lockFile(lock);
  const nonce = randomUUID();
  const release = await acquire(file, options, lose);
  const holder = { ...thisHolder(options), since: new Date().toISOString(), nonce };
  await writeHolder(file, holder).catch(async (error: unknown) => {
    await release().catch(ignoreBroken);
    throw error;
  });
  try {
    return await action(lost.signal, () => assertHeld(file, nonce, lost.signal, lose));
  } finally {
    // After `webdata unlock`, the lock may belong to another process before this one has noticed.
    if (!lost.signal.aborted && (await isOurs(file, nonce))) {
      await rm(holderFile(file), { force: true });
      await release().catch(ignoreBroken);
    }
  }
}

function ignoreBroken(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTACQUIRED') throw error;
}

/**
 * Waits for the renewal of a lock that is not fresh: after a pause, the timer that renews it is about to run. Each process that takes the lock names itself
 * before it reads the journal. @throws ProblemError if the lock is lost
 */
async function assertHeld(file: string, nonce: string, lost: AbortSignal, lose: () => void): Promise<void> {
  for (const start = performance.now(); ; ) {
    lost.throwIfAborted();
    const renewedAt = await renewalOf(file);
    const isLost = renewedAt === undefined || performance.now() - start > staleMs || !(await isOurs(file, nonce));
    if (isLost) lose();
    // The clock may have been set back since the renewal.
    else if (Math.abs(Date.now() - renewedAt) < freshMs) return;
    else await setTimeout(pollMs / 5);
  }
}

async function isOurs(file: string, nonce: string): Promise<boolean> {
  return (await readHolder(file))?.nonce === nonce;
}

/** Returns the time of the last renewal; undefined if the lock is free. */
async function renewalOf(file: string): Promise<number | undefined> {
  return (await stat(`${file}.lock`).catch(() => undefined))?.mtimeMs;
}

export async function machineLockHolder(lock: MachineLock): Promise<LockHolder | undefined> {
  const file = lockFile(lock);
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

/** Removes the lock. Its holder notices that before its next call. */
export async function breakMachineLock(lock: MachineLock): Promise<void> {
  const file = lockFile(lock);
  await rm(`${file}.lock`, { recursive: true, force: true });
  await rm(holderFile(file), { force: true });
}

function lockFile({ key, env }: MachineLock): string {
  return join(machineFolder(env), createHash('sha256').update(key).digest('hex').slice(0, 32));
}

async function acquire(file: string, options: LockOptions, onCompromised: () => void): Promise<() => Promise<void>> {
  const { timeoutMs, onWait, signal } = options;
  const deadline = performance.now() + timeoutMs;
  const isAbandoned = abandonedInFuture(file);
  for (let hasWaited = false; ; hasWaited = true) {
    try {
      return await lockfile.lock(file, { realpath: false, stale: staleMs, update: staleMs / 5, onCompromised });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error;
    }
    if (await isAbandoned()) await rmdir(`${file}.lock`).catch(() => undefined);
    else if (performance.now() >= deadline) throw locked(await readHolder(file), timeoutMs);
    else if (!hasWaited) onWait?.(await readHolder(file));
    await sleepUnless(signal, pollMs);
  }
}

/**
 * Returns a function that reports whether the lock has expired though its time lies in the future: its holder was killed, and the clock was set
 * back. The time since the first look counts, since a holder that runs renews the lock with the new time.
 */
function abandonedInFuture(file: string): () => Promise<boolean> {
  let seen: { renewedAt: number; since: number } | undefined;
  return async () => {
    const renewedAt = await renewalOf(file);
    if (renewedAt === undefined || renewedAt <= Date.now()) return false;
    if (seen?.renewedAt !== renewedAt) seen = { renewedAt, since: performance.now() };
    return performance.now() - seen.since > staleMs;
  };
}

const holderInFile = holderSchema.extend({ since: z.string(), nonce: z.string().optional() });

type HolderInFile = z.output<typeof holderInFile>;

function holderFile(file: string): string {
  return `${file}.holder.json`;
}

/** Writes the details for messages to other runs, with the mark of this holder. */
async function writeHolder(file: string, holder: HolderInFile): Promise<void> {
  await writeFile(holderFile(file), JSON.stringify(holder), { mode: 0o600 });
}

async function readHolder(file: string): Promise<HolderInFile | undefined> {
  const text = await readTextFile(holderFile(file)).catch(() => '');
  return holderInFile.safeParse(parsedJson(text)).data;
}
