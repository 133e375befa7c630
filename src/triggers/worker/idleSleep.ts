/** The sleep of a worker between two rounds. */
import type { Database } from '../store/database.ts';

export interface IdleSleep {
  /** Ends the sleep, even if it has not started yet. */
  wake(): void;
  /** Resolves with true when it is woken, otherwise with false: after this time, or soon after a change of the store or of the clock. */
  sleep(ms: number): Promise<boolean>;
}

/** The longest pause between two looks at the store, and so the longest that changes of another server go unseen. */
const lookMs = 1000;

/** Notices changes that come after this call. */
export function createIdleSleep(database: Database): IdleSleep {
  const version = versionOf(database);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  return {
    wake: () => resolve(true),
    async sleep(ms) {
      let looked = Date.now();
      const end = looked + ms;
      const pause = () => Math.min(lookMs, end - looked);
      const look = () => {
        const now = Date.now();
        // A clock that was set back may have silenced schedules. `end` also passes while the machine sleeps, unlike a timer.
        const isOver = now < looked || now >= end || version === undefined || versionOf(database) !== version;
        looked = now;
        if (isOver) resolve(false);
        else timer = setTimeout(look, pause());
      };
      let timer = setTimeout(look, pause());
      return promise.finally(() => clearTimeout(timer));
    },
  };
}

/** A store that cannot be read differs from itself: the next round finds out why. */
function versionOf(database: Database): number | undefined {
  try {
    return database.version?.();
  } catch {
    return Number.NaN;
  }
}
