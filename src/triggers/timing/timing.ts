/**
 * Computes the ticks of a schedule. `every` counts from the epoch, so that all machines agree. `cron` follows the clock of its time zone.
 * When that clock changes:
 * - Skipped times tick as much later as the clock jumped: 02:30 becomes 03:30. Two ticks that coincide become one.
 * - Repeated times tick the first time only, or both times if the expression matches every hour.
 */
import { type Cron, firstWallTime, LONGEST_WAIT_MS, parseCron } from './cron.ts';
import { type ClockChange, clockChangeNear } from './timeZone.ts';

/** The stored form; `timingSpec.ts` has the declared form. */
export type Timing = { cron: string; timeZone: string } | { everyMs: number };

const DAY_MS = 86_400_000;

/** Returns the first tick strictly after this instant (ms since the epoch); undefined if there is none. */
export function nextTick(timing: Timing, afterMs: number): number | undefined {
  if ('everyMs' in timing) return (Math.floor(afterMs / timing.everyMs) + 1) * timing.everyMs;
  return firstTick(parseCron(timing.cron), timing.timeZone, Math.floor(afterMs) + 1);
}

/** Returns at most `limit` ticks in (afterMs, untilMs], oldest first. */
export function ticksBetween(timing: Timing, afterMs: number, untilMs: number, limit: number): number[] {
  const ticks: number[] = [];
  let tick = nextTick(timing, afterMs);
  while (tick !== undefined && tick <= untilMs && ticks.length < limit) {
    ticks.push(tick);
    tick = nextTick(timing, tick);
  }
  return ticks;
}

/** Returns the last tick at or before this instant; undefined if there was none for decades. Looks back twice as far each time. */
export function latestTick(timing: Timing, atMs: number): number | undefined {
  for (let span = 1000; span < 2 * LONGEST_WAIT_MS; span *= 2) {
    const ticks = ticksBetween(timing, atMs - span, atMs, Number.POSITIVE_INFINITY);
    if (ticks.length > 0) return ticks.at(-1);
  }
  return undefined;
}

/** Returns the first tick at or after `from`. */
function firstTick(cron: Cron, timeZone: string, from: number): number | undefined {
  const tick = firstTickAround(clockChangeNear(timeZone, from), cron, from);
  if (tick === undefined || tick < from + DAY_MS) return tick;
  // The clock may change before a tick that is more than a day away.
  return firstTick(cron, timeZone, tick - DAY_MS / 2);
}

function firstTickAround({ at, before, after }: ClockChange, cron: Cron, from: number): number | undefined {
  // In wall time, the old clock counts until here: it decides skipped times, and the first showing of repeated ones.
  const oldEnds = at + Math.max(before, after);
  const newStarts = cron.hours.length === 24 ? at + after : oldEnds;
  const byOld = from + before < oldEnds ? firstWallTime(cron, from + before) : undefined;
  const byNew = firstWallTime(cron, Math.max(from + after, newStarts));
  const ticks = [
    ...(byOld !== undefined && byOld < oldEnds ? [byOld - before] : []),
    ...(byNew !== undefined ? [byNew - after] : []),
  ];
  return ticks.length === 0 ? undefined : Math.min(...ticks);
}
