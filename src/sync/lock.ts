/** Keeps two applies on one machine apart. A lock whose holder died is taken over after a few seconds. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import lockfile from 'proper-lockfile';
import { ProblemError } from '../input/problem.ts';

/** A lock that was not renewed for so long belongs to nobody. */
const staleMs = 5_000;
const pollMs = 250;

/** Runs `action` with the lock beside the journal. @throws ProblemError when somebody else holds it for longer than `timeoutMs` */
export async function withLock<T>(journal: string, timeoutMs: number, action: () => Promise<T>): Promise<T> {
  const folder = dirname(journal);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const release = await acquire(folder, timeoutMs);
  try {
    return await action();
  } finally {
    await release();
  }
}

async function acquire(folder: string, timeoutMs: number): Promise<() => Promise<void>> {
  const retries = { retries: Math.ceil(timeoutMs / pollMs), factor: 1, minTimeout: pollMs, maxTimeout: pollMs };
  try {
    return await lockfile.lock(folder, {
      lockfilePath: join(folder, 'lock'),
      stale: staleMs,
      update: staleMs / 5,
      retries,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error;
    throw new ProblemError([
      {
        code: 'locked',
        found: 'another apply, destroy or undo is under way with the same journal',
        allowed: 'one at a time',
        fix: `wait for it to end; --lock-timeout SECONDS waits longer than ${timeoutMs / 1000} s`,
      },
    ]);
  }
}
