/**
 * When a schedule ticks. `every` counts from the epoch, so that all machines agree; cron goes by the clock of its time zone, and
 * where that clock changes:
 * - What it skips ticks as much later as it jumped: 02:30 at 03:30, where one hour is skipped. Two that come to the same are one.
 * - What it shows twice ticks the first time; both times where the expression is for every hour.
 */
import { type Cron, firstWallTime, LONGEST_WAIT_MS, parseCron } from './cron.ts';
import { type ClockChange, clockChangeNear } from './timeZone.ts';

/** As it is stored; `timingSpec.ts` has what people write. */
export type Timing = { cron: string; timeZone: string } | { everyMs: number };

const DAY_MS = 86_400_000;

/** The first tick strictly after this instant (ms since the epoch); undefined where there is none any more. */
export function nextTick(timing: Timing, afterMs: number): number | undefined {
  if ('everyMs' in timing) return (Math.floor(afterMs / timing.everyMs) + 1) * timing.everyMs;
  return firstTick(parseCron(timing.cron), timing.timeZone, Math.floor(afterMs) + 1);
}

/** Ticks in (afterMs, untilMs], oldest first, at most `limit`. */
export function ticksBetween(timing: Timing, afterMs: number, untilMs: number, limit: number): number[] {
  const ticks: number[] = [];
  let tick = nextTick(timing, afterMs);
  while (tick !== undefined && tick <= untilMs && ticks.length < limit) {
    ticks.push(tick);
    tick = nextTick(timing, tick);
  }
  return ticks;
}

/** The last tick at or before this instant: what `--tick now` means. Undefined where there was none for decades. */
export function latestTick(timing: Timing, atMs: number): number | undefined {
  if ('everyMs' in timing) return Math.floor(atMs / timing.everyMs) * timing.everyMs;
  let [waited, early] = [1000, nextTick(timing, atMs - 1000)];
  while ((early === undefined || early > atMs) && waited < LONGEST_WAIT_MS) {
    waited *= 2;
    early = nextTick(timing, atMs - waited);
  }
  if (early === undefined || early > atMs) return undefined;
  return lastFrom(timing, early, atMs);
}

/** By halves: from a tick on, there is a last one that has no other between itself and the end. */
function lastFrom(timing: Timing, tick: number, end: number): number {
  let [last, none] = [tick, end];
  while (none > last) {
    const middle = Math.floor((last + none) / 2);
    const next = nextTick(timing, middle);
    if (next !== undefined && next <= end) last = next;
    else none = middle;
  }
  return last;
}

/** At or after `from`. */
function firstTick(cron: Cron, timeZone: string, from: number): number | undefined {
  const tick = firstTickAround(clockChangeNear(timeZone, from), cron, from);
  if (tick === undefined || tick < from + DAY_MS) return tick;
  // It lies beyond what was looked at: the clock may change until then.
  return firstTick(cron, timeZone, tick - DAY_MS / 2);
}

function firstTickAround({ at, before, after }: ClockChange, cron: Cron, from: number): number | undefined {
  // Until here the old clock counts, in wall time: what is skipped ticks by it, and so does what is shown twice.
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
