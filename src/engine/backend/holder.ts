/** The holder of a lock, and the errors of runs that meet it. */
import { hostname, userInfo } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { renderFix } from '../../base/diagnostics/fix.ts';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { isRunning } from '../../base/files/ownFiles.ts';

export const holderSchema = z.object({
  command: z.string(),
  pid: z.int(),
  host: z.string(),
  user: z.string(),
  folder: z.string(),
  /** The URL of a CI job. */
  job: z.string().optional(),
});

type Holder = z.output<typeof holderSchema>;

export interface LockHolder extends Holder {
  /** The time at which it took the lock: the time of the backend's clock, as far as this machine knows it. */
  since: string;
}

export function thisHolder({ command, folder, job }: Pick<Holder, 'command' | 'folder' | 'job'>): Holder {
  return {
    command,
    pid: process.pid,
    host: hostname(),
    user: userName(),
    folder,
    ...(job !== undefined && { job }),
  };
}

/** Returns the user name, or the id in containers where the user has no name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `id ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Returns the URL of the CI job that this process runs in. */
export function ciJobUrl(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run, CI_JOB_URL: job } = env;
  return server && repository && run ? `${server}/${repository}/actions/runs/${run}` : job || undefined;
}

/** Describes a holder: `process 12 of user ci on host-1, in /srv/infra`. */
export function describeHolder({ command, since, pid, user, host, folder, job }: LockHolder): string {
  const inJob = job === undefined ? '' : ` (${job})`;
  const ended = hasEnded({ host, pid }) ? ', which no longer runs' : '';
  return `\`${command}\` has held the lock of this account since ${since}: process ${pid} of user ${user} on ${host}, in ${folder}${inJob}${ended}`;
}

/** Reports whether the holder is a process of this machine that does not exist any more. */
function hasEnded(holder: Pick<LockHolder, 'host' | 'pid'>): boolean {
  return isHere(holder) && !isRunning(holder.pid);
}

function isHere(holder: Pick<LockHolder, 'host'> | undefined): boolean {
  return holder?.host === hostname();
}

/** The message of a run that waits for the lock. */
export function waitingForLock(holder: LockHolder | undefined, timeoutMs: number): string {
  return `waiting up to ${timeoutMs / 1000} s for another run to end: ${heldBy(holder)}`;
}

function heldBy(holder: LockHolder | undefined): string {
  return holder === undefined ? 'another run holds the lock of this account' : describeHolder(holder);
}

export function locked(holder: LockHolder | undefined, timeoutMs: number): ProblemError {
  return new ProblemError([
    {
      code: 'locked',
      found: heldBy(holder),
      allowed: 'one run at a time',
      ...renderFix(({ lockTimeout }) => {
        if (holder !== undefined && hasEnded(holder)) return '`webdata unlock` frees the lock';
        const wait = `wait for it to end, or ${lockTimeout(timeoutMs / 1000)}`;
        return isHere(holder) ? wait : `${wait}; if it no longer runs, \`webdata unlock\` frees the lock`;
      }),
    },
  ]);
}

/** Waits. @throws the reason of the signal, once it is aborted */
export async function sleepUnless(signal: AbortSignal | undefined, ms: number): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
  signal?.throwIfAborted();
}

export function lockLost(): ProblemError {
  return lostBecause('another run took the lock because this process did not renew it in time');
}

export function leaseExpired(address: string): ProblemError {
  return lostBecause(`the lock could not be renewed in time at ${address}, so another run may have taken it`);
}

function lostBecause(reason: string): ProblemError {
  const fix = 'see `webdata history`, then run the command again';
  return new ProblemError([{ code: 'lock-lost', found: `${reason}; no further calls are sent`, fix }]);
}
