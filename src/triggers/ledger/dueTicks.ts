/** Decides which ticks of a schedule are due, and which of them are too late to fire (catch-up). Pure. */
import type { ScheduleSpec } from '../declared/scheduleSpec.ts';
import { durationMs } from '../declared/timingSpec.ts';
import { latestTick, type Timing, ticksBetween } from '../timing/timing.ts';

export interface DueTicks {
  /** Oldest first. */
  fire: number[];
  skip: { at: number; reason: string }[];
  /** All ticks up to this time are decided. */
  cursor: number;
}

export type CatchUp = 'skip' | 'latest' | { withinMs: number };

/** A tick found within this time is not missed: servers do not look at every moment. */
export const graceMs = 60_000;

/** The maximum number of ticks per call; later calls take the rest. */
const maxTicks = 1000;

/** Maximum number of missed ticks that get a run each; one more run stands for all further ones. */
const maxMissed = 100;

/** Returns the ticks in (cursor, now]. */
export function dueTicks(timing: Timing, cursor: number, now: number, catchUp: CatchUp): DueTicks {
  const span = typeof catchUp === 'string' ? graceMs : Math.max(catchUp.withinMs, graceMs);
  const opens = Math.max(cursor, now - span - 1);
  const missed = ticksBetween(timing, cursor, opens, maxMissed + 1);
  const fire = ticksBetween(timing, opens, now, maxTicks);
  const last = catchUp === 'latest' && fire.length === 0 && missed.length > 0 ? latestTick(timing, now) : undefined;
  return {
    fire: last === undefined ? fire : [last],
    skip: missed.filter((at) => at !== last).map((at, index) => ({ at, reason: missedReason(index, opens) })),
    cursor: fire.length === maxTicks ? (fire.at(-1) ?? now) : Math.max(cursor, now),
  };
}

function missedReason(index: number, until: number): string {
  const missed = 'missed: no server checked this schedule in time';
  return index < maxMissed ? missed : `${missed}; further ticks were missed until ${new Date(until).toISOString()}`;
}

export function catchUpOf({ catchUp }: ScheduleSpec): CatchUp {
  return typeof catchUp === 'string' ? catchUp : { withinMs: durationMs(catchUp.within) };
}
