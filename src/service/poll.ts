/** Asks for a result again and again until it is there. */
import { setTimeout as sleep } from 'node:timers/promises';
import { failing } from './errors.ts';

export interface PollOptions {
  /** The time between two polls, in milliseconds. Default 5000, which the specification suggests. */
  pollMs?: number | undefined;
  /** Told after each poll that found the result unfinished. */
  onProgress?: ((progress: PollProgress) => void) | undefined;
}

export interface PollProgress {
  /** The run or snapshot that is waited for. */
  id: string;
  /** Counted from 1. */
  polls: number;
  waitedMs: number;
}

export interface Polled extends PollOptions {
  id: string;
  /** What is polled, for the error of an abort. */
  url: string;
  /** How to go on after an abort. */
  fix: string;
  signal: AbortSignal | undefined;
}

/** What `ask` finds, once it is something. @throws ServiceError of `ask`, or for an abort between two polls */
export async function pollUntilReady<T>(ask: () => Promise<T | undefined>, polled: Polled): Promise<T> {
  const { id, url, fix, pollMs = defaultPollMs, onProgress, signal } = polled;
  const fail = failing({ method: 'GET', url, read: true }, { aborted: fix });
  const started = performance.now();
  for (let polls = 1; ; polls += 1) {
    const found = await ask();
    if (found !== undefined) return found;
    onProgress?.({ id, polls, waitedMs: performance.now() - started });
    await sleep(pollMs, undefined, { signal }).catch((cause: unknown) => {
      throw fail('aborted', `was given up after ${polls} ${polls === 1 ? 'poll' : 'polls'}, still building`, { cause });
    });
  }
}

const defaultPollMs = 5000;
