/** Converts any timing to cron expressions, and these to the five fields that other schedulers read. */
import { type Cron, parseCron } from '../../triggers/timing/cron.ts';
import type { Timing } from '../../triggers/timing/timing.ts';
import type { ExportProblem } from './target.ts';

export interface CronLine {
  cron: Cron;
  timeZone: string;
}

export const daySeconds = 86_400;

/** Returns cron expressions that together equal the timing; none if cron cannot express it: `every` must divide a day or be a week. */
export function cronLines(timing: Timing): CronLine[] {
  if ('cron' in timing) return [{ cron: parseCron(timing.cron), timeZone: timing.timeZone }];
  const seconds = timing.everyMs / 1000;
  // `every` counts from the epoch, a Thursday.
  if (seconds === 7 * daySeconds) return [{ cron: parseCron('0 0 * * THU'), timeZone: 'UTC' }];
  if (!Number.isInteger(seconds) || daySeconds % seconds !== 0) return [];
  const times = Array.from({ length: daySeconds / seconds }, (_, index) => index * seconds);
  return clockTimes(times).map((clock) => ({ cron: { ...parseCron('@daily'), ...clock }, timeZone: 'UTC' }));
}

/** Combines times of a day (in seconds) into as few sets of hours, minutes and seconds as possible. */
export function clockTimes(times: readonly number[]): Pick<Cron, 'hours' | 'minutes' | 'seconds'>[] {
  const byMinute = Map.groupBy(times, (time) => Math.floor(time / 60));
  const perMinute = [...byMinute].map(([minute, each]) => ({
    minute,
    seconds: ascending(each.map((time) => time % 60)),
  }));
  const byHour = Map.groupBy(perMinute, ({ minute, seconds }) => `${Math.floor(minute / 60)} at ${seconds}`);
  const perHour = [...byHour.values()].flatMap((group) => {
    const [{ minute, seconds } = { minute: 0, seconds: [] }] = group;
    return { hour: Math.floor(minute / 60), minutes: ascending(group.map((each) => each.minute % 60)), seconds };
  });
  const alike = Map.groupBy(perHour, ({ minutes, seconds }) => `${minutes} at ${seconds}`);
  return [...alike.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : { ...first, hours: ascending(group.map(({ hour }) => hour)) };
  });
}

/**
 * Returns the five fields of a cron expression that `fiveFieldProblem` accepts. Schedulers disagree about fields such as a starred step, so
 * where a day must match both day fields, only the rarer one is written: the ledger ignores the other days.
 */
export function fiveFields(cron: Cron): string {
  const { minutes, hours, daysOfMonth, months, daysOfWeek } = withOneDayField(cron);
  return [
    fieldText(minutes, 0, 59),
    fieldText(hours, 0, 23),
    // Never starts with a star, unless any day matches.
    daysOfMonth.any ? '*' : listText(daysOfMonth.days),
    fieldText(months, 1, 12),
    daysOfWeek.any ? '*' : listText(daysOfWeek.days),
  ].join(' ');
}

/** Returns a cron whose days need not match two fields: with the rarer one, if they do. */
export function withOneDayField(cron: Cron): Cron {
  const { daysOfMonth, daysOfWeek, needsBothDays } = cron;
  if (!needsBothDays || daysOfMonth.any || daysOfWeek.any) return cron;
  const { daysOfMonth: anyDate, daysOfWeek: anyWeekday } = parseCron('@daily');
  const isDateRarer = daysOfMonth.days.length / 31 < daysOfWeek.days.length / 7;
  return isDateRarer ? { ...cron, daysOfWeek: anyWeekday } : { ...cron, daysOfMonth: anyDate };
}

/** Returns what five fields cannot express. */
export function fiveFieldProblem(timing: Timing, to: string): ExportProblem | undefined {
  const lines = cronLines(timing);
  if (lines.length === 0) return unevenProblem(timing);
  if (lines.some(({ cron: { seconds } }) => seconds.some((second) => second > 0)))
    return { found: `ticks at seconds, which ${to} does not support`, allowed: 'whole minutes', fix: toSystemd };
  const isSpecial = lines.some(
    ({ cron: { daysOfMonth, daysOfWeek } }) => daysOfMonth.last || daysOfWeek.last.length > 0 || daysOfWeek.nth > 0,
  );
  if (!isSpecial) return undefined;
  return {
    found: `ticks on days counted by L or #, which ${to} does not support`,
    allowed: 'days by number or by name',
    fix: toSystemd,
  };
}

/** Returns a problem for timings that no cron expression can express. */
export function unevenProblem(timing: Timing): ExportProblem | undefined {
  if (cronLines(timing).length > 0) return undefined;
  return {
    found: 'ticks at different times on different days, because its `every` does not divide a day',
    allowed: 'an `every` that divides a day, such as 15m, 90m or 6h, or 7d',
    fix: 'change `every`, or use `webdata triggers serve`',
  };
}

const toSystemd = 'export it to systemd, or use `webdata triggers serve`';

function fieldText(values: readonly number[], from: number, to: number): string {
  if (values.length === to - from + 1) return '*';
  const step = stepOf(values);
  const isToTheEnd = step !== undefined && values[0] === from && (values.at(-1) ?? to) + step > to;
  return isToTheEnd ? `*/${step}` : listText(values);
}

/** Returns `1-5`, or all values, `1,2,3,7`: the schema of GitHub's workflows accepts no mixture. */
function listText(values: readonly number[]): string {
  return stepOf(values) === 1 ? `${values[0]}-${values.at(-1)}` : values.join();
}

/** Returns the distance of at least three evenly spaced values. */
export function stepOf(values: readonly number[]): number | undefined {
  const [first = 0, second = 0] = values;
  const step = second - first;
  const isEven = values.every((value, index) => value === first + index * step);
  return values.length > 2 && isEven ? step : undefined;
}

function ascending(values: readonly number[]): number[] {
  return values.toSorted((a, b) => a - b);
}
