/** Looks up the offsets of time zones, and their clock changes. */
import { boundedCache } from '../../base/values/boundedCache.ts';

/** A clock change: the offsets from UTC (in milliseconds, east is positive) before and after `at`. */
export interface ClockChange {
  at: number;
  before: number;
  after: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MINUTES_A_DAY = DAY_MS / MINUTE_MS;

/**
 * Returns the clock change within a day before or after an instant, or one in the infinite past. No zone has two changes within three days.
 */
export function clockChangeNear(timeZone: string, instant: number): ClockChange {
  return clockChangeAround(`${Math.floor(instant / DAY_MS)} ${timeZone}`);
}

/** Cached by day and zone: most schedules that are due at the same time share both. */
const clockChangeAround = boundedCache(1024, (key): ClockChange => {
  const space = key.indexOf(' ');
  const [day, timeZone] = [Number(key.slice(0, space)), key.slice(space + 1)];
  let [low, high] = [(day - 1) * MINUTES_A_DAY, (day + 2) * MINUTES_A_DAY];
  const [before, after] = [offsetAt(timeZone, low * MINUTE_MS), offsetAt(timeZone, high * MINUTE_MS)];
  if (before === after) return { at: Number.NEGATIVE_INFINITY, before, after };
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(timeZone, middle * MINUTE_MS) === before) low = middle;
    else high = middle;
  }
  return { at: high * MINUTE_MS, before, after };
});

export function isTimeZone(name: string): boolean {
  try {
    return formatterOf(name) !== undefined;
  } catch {
    return false;
  }
}

/** Cached, because creating a formatter takes a hundred times as long as using it. */
const formatterOf = boundedCache(
  256,
  (timeZone) => new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }),
);

function offsetAt(timeZone: string, instant: number): number {
  const text = formatterOf(timeZone).format(instant);
  const [, sign, hours, minutes, seconds] = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text) ?? [];
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS + Number(seconds ?? 0) * 1000;
  return sign === '-' ? -size : size;
}
