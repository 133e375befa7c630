/** Forecast of the declared schedules: their ticks, the ticks that fall into a job, and the triggers. Sends no request. */

import { type Firing, forecasting } from '../../kinds/forecasting.ts';
import { ticksBetween } from '../../triggers/timing/timing.ts';
import type { Declared } from '../plan/resources.ts';

interface ForecastOptions {
  /** Milliseconds since the epoch, as are all times here. */
  from: number;
  until: number;
  /** The assumed duration of a job, for schedules without `maxTime`. Without either, overlaps are not known. */
  jobMs?: number | undefined;
}

export interface ForecastTick {
  at: number;
  /** The name of the schedule. */
  schedule: string;
  target: string;
  /** True if an earlier job of the schedule is still active. */
  isOverlap: boolean;
  isTriggered: boolean;
}

export interface ScheduleForecast {
  schedule: string;
  target: string;
  isPaused: boolean;
  ticks: number;
  triggers: number;
  /** Undefined if the time of a job is not known. */
  overlaps: number | undefined;
  jobMs: number | undefined;
}

export interface Forecast {
  from: number;
  until: number;
  schedules: ScheduleForecast[];
  /** In the order of time; of each schedule at most the first 10,000. */
  ticks: ForecastTick[];
  /** The UTC day with the most triggers. */
  busiestDay: { date: string; triggers: number } | undefined;
}

export function forecast(declared: readonly Declared[], { from, until, jobMs }: ForecastOptions): Forecast {
  const days = new Map<string, number>();
  const ticks: ForecastTick[] = [];
  const schedules = declared.flatMap(({ definition, spec, name }) => {
    const firing = forecasting.of(definition)?.firing(spec);
    if (firing === undefined) return [];
    return [forecastOf(name, firing, { from, until, jobMs: firing.longestMs ?? jobMs }, days, ticks)];
  });
  const [date, triggers = 0] = [...days].reduce<[string, number] | []>(
    (most, day) => (day[1] > (most[1] ?? 0) ? day : most),
    [],
  );
  ticks.sort((a, b) => a.at - b.at);
  return { from, until, schedules, ticks, busiestDay: date === undefined ? undefined : { date, triggers } };
}

const mostListed = 10_000;

/** Adds the triggers of a schedule to `days`, and its first ticks to `listed`. */
function forecastOf(
  schedule: string,
  { target, timing, overlap, isPaused }: Firing,
  { from, until, jobMs }: ForecastOptions,
  days: Map<string, number>,
  listed: ForecastTick[],
): ScheduleForecast {
  const result = { schedule, target, isPaused, ticks: 0, triggers: 0, overlaps: 0 };
  let busyUntil = Number.NEGATIVE_INFINITY;
  const all = isPaused ? [] : ticksBetween(timing, from, until, Number.POSITIVE_INFINITY);
  for (const at of all) {
    const isOverlap = at < busyUntil;
    const isTriggered = !isOverlap || overlap !== 'skip';
    result.ticks += 1;
    if (isOverlap) result.overlaps += 1;
    if (result.ticks <= mostListed) listed.push({ at, schedule, target, isOverlap, isTriggered });
    if (!isTriggered) continue;
    result.triggers += 1;
    const day = new Date(at).toISOString().slice(0, 10);
    days.set(day, (days.get(day) ?? 0) + 1);
    // A queued job starts when the earlier one has ended; a job that cancels the earlier one starts at its tick.
    busyUntil = (isOverlap && overlap === 'queue' ? busyUntil : at) + (jobMs ?? 0);
  }
  return { ...result, overlaps: jobMs === undefined ? undefined : result.overlaps, jobMs };
}
