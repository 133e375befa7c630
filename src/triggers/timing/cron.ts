/**
 * Parses cron expressions with cron-parser, and searches their ticks in wall time: milliseconds as if the clock on the wall showed UTC, so
 * that neither time zones nor clock changes matter here.
 */
import { createRequire } from 'node:module';
import { boundedCache } from '../../base/values/boundedCache.ts';

/** A parsed expression: names, ranges and steps are expanded, and values ascend. */
export interface Cron {
  seconds: readonly number[];
  minutes: readonly number[];
  hours: readonly number[];
  /** From 1. */
  months: readonly number[];
  daysOfMonth: { any: boolean; days: readonly number[]; last: boolean };
  /** 0 is Sunday. `nth`: only the nth such day of the month; 0 means any. `last`: days that match only as the last of the month. */
  daysOfWeek: { any: boolean; days: readonly number[]; last: readonly number[]; nth: number };
  /**
   * The rule of Vixie cron and cronie: if one of the day fields begins with a star, also with a step, a day must match both. Otherwise a day
   * that matches either matches.
   */
  needsBothDays: boolean;
}

/** Other names of expressions. Crons write `@midnight` for `@daily`. */
export const nicknames: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@weekdays': '0 0 * * 1-5',
  '@weekends': '0 0 * * 0,6',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
  '@minutely': '* * * * *',
  '@secondly': '* * * * * *',
};

/** Loaded on demand: most declarations have no cron expression, and with its dependencies it is a third of all loaded code. */
const cronParser = () => createRequire(import.meta.url)('cron-parser') as typeof import('cron-parser');

const DAY_MS = 86_400_000;
/** A tick on 29 February with a given weekday, or on the fifth such day of a February, may be 40 years away. */
export const LONGEST_WAIT_MS = 41 * 366 * DAY_MS;

/** @throws Error for an invalid expression; `cronProblem` finds out what is wrong */
export const parseCron: (text: string) => Cron = boundedCache(2048, (text) => {
  const fields = fieldsOf(text);
  const { second, minute, hour, month, dayOfMonth, dayOfWeek } = parsed(fields);
  return {
    seconds: second.values,
    minutes: minute.values,
    hours: hour.values,
    months: month.values,
    daysOfMonth: { any: dayOfMonth.isWildcard, days: numbers(dayOfMonth.values), last: dayOfMonth.hasLastChar },
    daysOfWeek: {
      any: dayOfWeek.isWildcard,
      // Sunday is 0 as well as 7.
      days: [...new Set(numbers(dayOfWeek.values).map((day) => day % 7))].sort((a, b) => a - b),
      last: dayOfWeek.values.filter((day) => typeof day === 'string').map((day) => Number.parseInt(day, 10) % 7),
      nth: dayOfWeek.nthDay,
    },
    needsBothDays: [fields.at(-3), fields.at(-1)].some((field) => /^[*?]/.test(field ?? '')),
  };
});

/** Returns the fields of an expression, or of the one that a nickname stands for. */
export function fieldsOf(text: string): string[] {
  const trimmed = text.trim();
  const expression = Object.hasOwn(nicknames, trimmed) ? nicknames[trimmed] : trimmed;
  return (expression ?? '').split(/\s+/).filter((field) => field !== '');
}

type ParsedFields = ReturnType<ReturnType<typeof cronParser>['CronExpressionParser']['parse']>['fields'];

function parsed(fields: readonly string[]): ParsedFields {
  return cronParser().CronExpressionParser.parse(fields.join(' '), { tz: 'UTC', currentDate: 0 }).fields;
}

/** Returns the first matching wall time at or after `from`; undefined if there is none. */
export function firstWallTime(cron: Cron, from: number): number | undefined {
  const start = Math.ceil(from / 1000) * 1000;
  let day = Math.floor(start / DAY_MS) * DAY_MS;
  let second = (start - day) / 1000;
  for (const end = day + LONGEST_WAIT_MS; day <= end; second = 0) {
    const date = new Date(day);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    const isMonth = cron.months.includes(month + 1);
    const found = isMonth && isDay(cron, date) ? firstSecondOfDay(cron, second) : undefined;
    if (found !== undefined) return day + found * 1000;
    day = isMonth ? day + DAY_MS : Date.UTC(year, month + 1, 1);
  }
  return undefined;
}

function numbers(values: readonly (number | string)[]): number[] {
  return values.filter((value) => typeof value === 'number');
}

function isDay({ daysOfMonth, daysOfWeek, needsBothDays }: Cron, date: Date): boolean {
  const [day, weekday] = [date.getUTCDate(), date.getUTCDay()];
  const left = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate() - day;
  const byMonth = daysOfMonth.days.includes(day) || (daysOfMonth.last && left === 0);
  const isNth = daysOfWeek.nth === 0 || Math.ceil(day / 7) === daysOfWeek.nth;
  const byWeek = (daysOfWeek.days.includes(weekday) && isNth) || (daysOfWeek.last.includes(weekday) && left < 7);
  return needsBothDays ? byMonth && byWeek : byMonth || byWeek;
}

function firstSecondOfDay({ hours, minutes, seconds }: Cron, from: number): number | undefined {
  for (const hour of hours) {
    if (hour * 3600 + 3599 < from) continue;
    for (const minute of minutes) {
      const start = hour * 3600 + minute * 60;
      const second = seconds.find((each) => start + each >= from);
      if (second !== undefined) return start + second;
    }
  }
  return undefined;
}
