/** Keeps two runs on one account apart, on this machine. The lock of a process that was killed expires after a few seconds. */

import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import { z } from 'zod';
import { renderFix } from '../../diagnostics/fix.ts';
import { type Problem, ProblemError } from '../../diagnostics/problem.ts';
import { meetingFolder } from '../../files/ownFiles.ts';
import { parsedJson } from '../../values/plain.ts';
import type { Config } from '../config/config.ts';

/** A lock that was not renewed for this long has expired. */
const staleMs = 10_000;
const pollMs = 250;
/** Enough for days. Each retry needs a little memory. */
const mostPolls = 1_000_000;

/** The parts of a configuration that identify the account. */
type LockedConfig = Pick<Config, 'account' | 'service' | 'manager' | 'triggers'>;

export interface LockOptions {
  timeoutMs: number;
  /** The command in the `locked` error of other runs: `webdata apply`. */
  command: string;
  /** The folder in which the command runs. */
  folder: string;
}

/**
 * Runs `action` with the lock of the account. Its signal is aborted if the lock is lost (this process was suspended, for example, and
 * another one took the lock). @throws ProblemError when another run holds the lock for longer than `timeoutMs`
 */
export async function withLock<T>(
  config: LockedConfig,
  { timeoutMs, command, folder }: LockOptions,
  action: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const file = lockFile(config);
  const release = await acquire(file, timeoutMs, () => lost.abort(new ProblemError([lockLost])));
  try {
    await writeHolder(file, { command, folder });
    return await action(lost.signal);
  } finally {
    if (!lost.signal.aborted) {
      await rm(holderFile(file), { force: true });
      await release();
    }
  }
}

/** Returns one file per service and declared name of the account, independent of the journal, the key and the spelling of the URL. */
function lockFile({ account, service, manager, triggers }: LockedConfig): string {
  const host = hostKey(service.url ?? manager.url ?? triggers.url ?? '');
  const key = account === undefined ? host : `${host} ${account}`;
  return join(meetingFolder(), createHash('sha256').update(key).digest('hex').slice(0, 32));
}

/**
 * Returns the host and port of a URL in one spelling. Leaves out the scheme, because a service answers at the default ports of both, and the
 * path. Two accounts at one host without a declared name share a lock: two keys may belong to one account, and only the service knows.
 */
function hostKey(url: string): string {
  if (!URL.canParse(url)) return url;
  const { hostname: host, port } = new URL(url);
  const name = host.toLowerCase().replace(/\.$/, '');
  return `${isLoopback(name) ? 'loopback' : name}:${port === '80' || port === '443' ? '' : port}`;
}

/** Reports whether a host is loopback. `URL` has already normalized `127.1`, `0x7f.1` and `[0:0::1]`. */
function isLoopback(host: string): boolean {
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    /^127\.\d+\.\d+\.\d+$/.test(host) ||
    host === '0.0.0.0' ||
    /^\[(::1?|::ffff:7f[\da-f]{2}:[\da-f]{1,4})\]$/.test(host)
  );
}

async function acquire(file: string, timeoutMs: number, onCompromised: () => void): Promise<() => Promise<void>> {
  const polls = Math.min(Math.ceil(timeoutMs / pollMs), mostPolls);
  const retries = { retries: polls, factor: 1, minTimeout: pollMs, maxTimeout: pollMs };
  try {
    return await lockfile.lock(file, { realpath: false, stale: staleMs, update: staleMs / 5, retries, onCompromised });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error;
    throw new ProblemError([locked(await readHolder(file), timeoutMs)]);
  }
}

const holderSchema = z.object({
  command: z.string(),
  pid: z.int(),
  host: z.string(),
  user: z.string(),
  since: z.string(),
  folder: z.string(),
});

type Holder = z.output<typeof holderSchema>;

function holderFile(file: string): string {
  return `${file}.holder.json`;
}

/** Writes the details for the message to other runs. The lock does not depend on them. */
async function writeHolder(file: string, { command, folder }: Pick<Holder, 'command' | 'folder'>): Promise<void> {
  const since = new Date().toISOString();
  const holder: Holder = { command, pid: process.pid, host: hostname(), user: userName(), since, folder };
  await writeFile(holderFile(file), JSON.stringify(holder), { mode: 0o600 }).catch(() => undefined);
}

async function readHolder(file: string): Promise<Holder | undefined> {
  const text = await readFile(holderFile(file), 'utf8').catch(() => '');
  return holderSchema.safeParse(parsedJson(text)).data;
}

/** Returns the user name, or the id in containers where the user has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `id ${process.getuid?.() ?? 'unknown'}`;
  }
}

function locked(holder: Holder | undefined, timeoutMs: number): Problem {
  const wait = renderFix(({ lockTimeout }) => `wait for it to end, or ${lockTimeout(timeoutMs / 1000)}`);
  if (holder === undefined) {
    return {
      code: 'locked',
      found: 'another run holds the lock of this account',
      allowed: 'one run at a time',
      ...wait,
    };
  }
  const { command, pid, host, user, since, folder } = holder;
  return {
    code: 'locked',
    found: `\`${command}\` has held the lock of this account since ${since}: process ${pid} of user ${user} on ${host}, in ${folder}`,
    allowed: 'one run at a time',
    ...wait,
  };
}

const lockLost: Problem = {
  code: 'lock-lost',
  found: 'another run took the lock because this process did not renew it in time; no further calls are sent',
  fix: 'see `webdata history`, then run the command again',
};
