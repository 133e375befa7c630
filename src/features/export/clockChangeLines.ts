/**
 * Further entries for ticks that another scheduler would not start on a day on which the clocks of a time zone change. They are in UTC and
 * start on some days more: the ledger ignores a start without a due tick.
 */
import { type Cron, firstWallTime, parseCron } from '../../triggers/timing/cron.ts';
import { clockChangesFrom } from '../../triggers/timing/timeZone.ts';
import { type Timing, ticksBetween } from '../../triggers/timing/timing.ts';
import { type CronLine, clockTimes, cronLines, daySeconds } from './cronLines.ts';

/** Dates fall on the same weekdays again after so many years. */
const years = 28;

/** The most ticks in an hour that the clock skips or repeats: one each second. */
const mostTicks = 3 * 3600;

/** `losesRepeated`: the scheduler also misses an hour that comes a second time; all of them miss one that is skipped. */
export function linesWithClockChanges(timing: Timing, now: number, losesRepeated = false): CronLine[] {
  return [...cronLines(timing), ...('cron' in timing ? linesOf(lostTicks(timing, now, losesRepeated)) : [])];
}

function lostTicks(timing: Extract<Timing, { cron: string }>, now: number, losesRepeated: boolean): number[] {
  const cron = parseCron(timing.cron);
  return clockChangesFrom(timing.timeZone, now, years).flatMap(({ at, before, after }) => {
    const isStarted = (tick: number) => firstWallTime(cron, tick + after) === tick + after;
    const ticks = ticksBetween(timing, at - 1, at + Math.abs(after - before) - 1, mostTicks);
    return before > after && losesRepeated ? ticks : ticks.filter((tick) => !isStarted(tick));
  });
}

function linesOf(ticks: readonly number[]): CronLine[] {
  if (ticks.length === 0) return [];
  const daily = parseCron('@daily');
  const dates = ticks.map((tick) => new Date(tick));
  const months = unique(dates.map((date) => date.getUTCMonth() + 1));
  const days = unique(dates.map((date) => date.getUTCDay()));
  const daysOfWeek: Cron['daysOfWeek'] = { ...daily.daysOfWeek, any: days.length === 7, days };
  const times = unique(ticks.map((tick) => (tick / 1000) % daySeconds));
  return clockTimes(times).map((clock) => ({ cron: { ...daily, ...clock, months, daysOfWeek }, timeZone: 'UTC' }));
}

function unique(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
