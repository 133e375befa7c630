/** Remembers the deliveries of the last day, so that a repeated one is recognized although its reader has moved the file away. */
import type { DeliveryFacts } from './destination.ts';

/** A run has one result. */
const sameRunMs = 24 * 60 * 60_000;
/** Without a run, the same content may be that of another job: only the time in which the service repeats a delivery counts. */
const sameContentMs = 10 * 60_000;

export function createRecent() {
  // The latest is the last.
  const times = new Map<string, number>();
  const age = (time = Number.NEGATIVE_INFINITY) => Math.max(0, Date.now() - time);
  return {
    add(file: string, time: number): void {
      times.delete(file);
      times.set(file, time);
      for (const [oldest, at] of times) {
        if (age(at) <= sameRunMs) break;
        times.delete(oldest);
      }
    },
    has: (file: string, { run }: Pick<DeliveryFacts, 'run'>) =>
      age(times.get(file)) <= (run === undefined ? sameContentMs : sameRunMs),
    clear: () => times.clear(),
  };
}
