/** A process of the built `webdata` that is killed at a point, if it reaches it. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Finished, type Running, start } from '../../test/e2e/process.ts';
import type { Point } from './points.ts';

const preload = join(import.meta.dirname, 'crashPoint.mjs');

interface Victim {
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** The folder whose file operations are boundaries. */
  under: string;
  /** True if commits of SQLite are boundaries too. */
  commits?: boolean;
}

/** Starts the process. Without a point, it is not killed, and lists its operations in `list`. */
export function startVictim(args: readonly string[], victim: Victim, point: Point | undefined, list?: string): Running {
  const crash = {
    CRASH_UNDER: victim.under,
    ...(victim.commits && { CRASH_COMMITS: '1' }),
    ...(list !== undefined && { CRASH_COUNT: list }),
    ...(point?.at === 'file' && { CRASH_AT: String(point.number), CRASH_HOW: point.how }),
  };
  const isWatched = point?.at === 'file' || list !== undefined;
  const watched = { ...crash, NODE_OPTIONS: `--import=${preload}` };
  return start(args, { cwd: victim.cwd, env: { ...(isWatched && watched), ...victim.env } });
}

/** Waits until the process has ended; a point in time is counted from `heard`, its first sign of life. */
export async function ended({ child, finished }: Running, point: Point, heard: Promise<unknown>): Promise<Finished> {
  if (point.at === 'instant') {
    await Promise.race([heard, finished]);
    await Promise.race([sleep(point.ms), finished]);
    child.kill('SIGKILL');
  }
  return finished;
}

export function wasKilled({ signal }: Finished): boolean {
  return signal === 'SIGKILL';
}

/** Returns the first match in its output, or undefined if it ends before. */
export async function saidBy({ child, finished }: Running, pattern: RegExp): Promise<RegExpExecArray | undefined> {
  const { promise, resolve } = Promise.withResolvers<RegExpExecArray | undefined>();
  let text = '';
  child.stdout?.on('data', (piece) => {
    text += piece;
    const match = pattern.exec(text);
    if (match) resolve(match);
  });
  void finished.then(() => resolve(undefined));
  return promise;
}
