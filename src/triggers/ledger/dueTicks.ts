/** Which ticks of a schedule are due, and which of these come too late to be fired (catch-up). Pure. */
import type { ScheduleSpec } from '../spec/scheduleSpec.ts';
import { durationMs } from '../spec/timingSpec.ts';
import { latestTick, type Timing, ticksBetween } from '../timing/timing.ts';

export interface DueTicks {
  /** Oldest first. */
  fire: number[];
  skip: { at: number; reason: string }[];
  /** Everything up to here was looked at. */
  cursor: number;
}

export type CatchUp = 'skip' | 'latest' | { withinMs: number };

/** A tick that is found this late was not missed: nobody looks at every moment. */
export const graceMs = 60_000;

/** More ticks than this are looked at in turns. */
const mostAtOnce = 1000;

/** Missed ticks that each get a run of their own; what comes after them is told in one. */
const mostMissed = 100;

/** The ticks in (cursor, now]. */
export function dueTicks(timing: Timing, cursor: number, now: number, catchUp: CatchUp): DueTicks {
  const span = typeof catchUp === 'string' ? graceMs : Math.max(catchUp.withinMs, graceMs);
  const opens = Math.max(cursor, now - span - 1);
  const missed = ticksBetween(timing, cursor, opens, mostMissed + 1);
  const fire = ticksBetween(timing, opens, now, mostAtOnce);
  const last = catchUp === 'latest' && fire.length === 0 && missed.length > 0 ? latestTick(timing, now) : undefined;
  return {
    fire: last === undefined ? fire : [last],
    skip: missed.filter((at) => at !== last).map((at, index) => ({ at, reason: missedReason(index, opens) })),
    cursor: fire.length === mostAtOnce ? (fire.at(-1) ?? now) : Math.max(cursor, now),
  };
}

function missedReason(index: number, until: number): string {
  const missed = 'missed: nothing looked at this schedule in time';
  return index < mostMissed ? missed : `${missed}, nor at its ticks from here to ${new Date(until).toISOString()}`;
}

export function catchUpOf({ catchUp }: ScheduleSpec): CatchUp {
  return typeof catchUp === 'string' ? catchUp : { withinMs: durationMs(catchUp.within) };
}
