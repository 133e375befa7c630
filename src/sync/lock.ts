/** Keeps two runs on one account apart, on this machine. A lock whose holder died is taken over after a few seconds. */
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import { type Problem, ProblemError } from '../input/problem.ts';
import type { Config } from './config.ts';

/** A lock that was not renewed for so long belongs to nobody. */
const staleMs = 10_000;
const pollMs = 250;
/** Days: each wait takes a little memory before the first one. */
const mostPolls = 1_000_000;

/**
 * Runs `action` with the lock of the account. Its signal is aborted if the lock is lost on the way (this process was suspended,
 * say, and another one took it over). @throws ProblemError when somebody else holds it for longer than `timeoutMs`
 */
export async function withLock<T>(
  config: Config,
  timeoutMs: number,
  action: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const release = await acquire(await lockOf(config), timeoutMs, () => lost.abort(new ProblemError([lockLost])));
  try {
    return await action(lost.signal);
  } finally {
    if (!lost.signal.aborted) await release();
  }
}

/** By service and key, whatever the journal: two checkouts of one repository move the same IPs. */
async function lockOf({ service: { url = '', apiKey = '' } }: Config): Promise<string> {
  // By number: in a container, a user need not have a name.
  const folder = join(tmpdir(), `webdata-${process.getuid?.() ?? 'locks'}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return join(
    folder,
    createHash('sha256')
      .update(JSON.stringify([url, apiKey]))
      .digest('hex')
      .slice(0, 32),
  );
}

async function acquire(file: string, timeoutMs: number, onCompromised: () => void): Promise<() => Promise<void>> {
  const polls = Math.min(Math.ceil(timeoutMs / pollMs), mostPolls);
  const retries = { retries: polls, factor: 1, minTimeout: pollMs, maxTimeout: pollMs };
  try {
    return await lockfile.lock(file, { realpath: false, stale: staleMs, update: staleMs / 5, retries, onCompromised });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error;
    throw new ProblemError([locked(timeoutMs)]);
  }
}

function locked(timeoutMs: number): Problem {
  return {
    code: 'locked',
    found: 'another apply, destroy or undo on this account is under way on this machine',
    allowed: 'one at a time',
    fix: `wait for it to end; --lock-timeout SECONDS waits longer than ${timeoutMs / 1000} s`,
  };
}

const lockLost: Problem = {
  code: 'lock-lost',
  found: 'another run took the lock over, as this one did not answer for a while: it goes no further',
  fix: 'look at `webdata history`, then run it again',
};
