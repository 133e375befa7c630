/** The lock of a command that sends no call. */
import { printableLine } from '../../base/values/printable.ts';
import type { LockOptions } from '../../engine/backend/backend.ts';
import { ciJobUrl, waitingForLock } from '../../engine/backend/holder.ts';
import type { Io } from '../output/io.ts';

/** Returns the options of the lock. A wait for another run, at most `lockTimeout` seconds, is announced on stderr. */
export function commandLock(command: string, { lockTimeout }: { lockTimeout: number }, io: Io): LockOptions {
  const { cwd, env, stderr, signal } = io;
  const timeoutMs = lockTimeout * 1000;
  return {
    timeoutMs,
    command: `webdata ${command}`,
    folder: cwd,
    job: ciJobUrl(env),
    onWait: (holder) => void stderr.write(printableLine(waitingForLock(holder, timeoutMs))),
    signal,
  };
}
