/** Turns a tick that another scheduler starts into a run, or finds the run that it already has. */
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import type { ScheduledRun } from '../api/runs.ts';
import { type ScheduleSpec, timingOf } from '../declared/scheduleSpec.ts';
import type { Database, Queries } from '../store/database.ts';
import { latestTick, nextTick, ticksBetween } from '../timing/timing.ts';
import { ledgerNow } from './now.ts';
import { type RunRow, runOf } from './rows.ts';
import { insertRuns, lockedTickingSchedule, type TickingSchedule } from './ticking.ts';

interface ExternalTick {
  run: ScheduledRun;
  /** True if this call made the run. */
  isNew: boolean;
}

/** The lead that another scheduler's clock may have over the ledger's: a tick that comes early must not fire the one before it. */
const skewMs = 5000;

/**
 * `now` is the latest due tick; the result is undefined if none was due since the schedule was registered or resumed.
 * @throws ProblemError, also for times that are not ticks of the schedule or lie in the future
 */
export function claimTick(
  database: Database,
  owner: string,
  name: string,
  tick: number | 'now',
): Promise<ExternalTick | undefined> {
  return database.transaction(async (queries) => {
    const schedule = await lockedTickingSchedule(queries, owner, name);
    const at = await ledgerNow(queries);
    const since = Math.max(schedule.since_at, await forgottenUntil(queries));
    const tickAt = tick === 'now' ? latestOf(schedule, at, since) : checkedTick(schedule, tick, at, since);
    if (tickAt === undefined) return undefined;
    const made = { schedule, tickAt, origin: 'tick', at } as const;
    const [id] = await insertRuns(queries, [
      schedule.paused === 1
        ? { ...made, state: 'skipped', text: 'the schedule is paused' }
        : { ...made, state: 'waiting', text: 'started by another scheduler' },
    ]);
    return { run: await runAt(queries, schedule.id, tickAt), isNew: id !== undefined };
  });
}

/** Runs of ticks before this time may have been deleted, so it is unknown whether they fired. */
async function forgottenUntil(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ value: number }>(`SELECT value FROM meta WHERE key = 'forgotten_until'`);
  return row === undefined ? 0 : row.value + skewMs;
}

function latestOf({ spec }: TickingSchedule, now: number, since: number): number | undefined {
  const latest = latestTick(timingOf(JSON.parse(spec) as ScheduleSpec), now + skewMs);
  return latest === undefined || latest <= since ? undefined : latest;
}

function checkedTick({ spec, name, since_at }: TickingSchedule, tick: number, now: number, since: number): number {
  const timing = timingOf(JSON.parse(spec) as ScheduleSpec);
  if (tick > now) throw new ProblemError([future(name, tick, now)]);
  if (tick > since_at && tick <= since) throw new ProblemError([forgotten(name, tick, since)]);
  const isTick = tick > since_at && ticksBetween(timing, tick - 1, tick, 1).length > 0;
  if (!isTick) throw new ProblemError([noTick(name, tick, since_at, nextTick(timing, Math.max(tick, since_at)))]);
  return tick;
}

async function runAt(queries: Queries, schedule: string, tickAt: number): Promise<ScheduledRun> {
  const [row] = await queries.query<RunRow>('SELECT * FROM runs WHERE schedule_id = ? AND tick_at = ?', [
    schedule,
    tickAt,
  ]);
  if (row === undefined) throw new TypeError('the claimed tick has no run');
  return runOf(row);
}

const time = (at: number) => new Date(at).toISOString();

function future(name: string, tick: number, now: number): Problem {
  return {
    code: 'tick-in-future',
    found: `${time(tick)} of ${name} is in the future: the ledger's clock shows ${time(now)}`,
    allowed: 'a tick that is due',
    fix: 'use --tick now, or wait',
  };
}

function forgotten(name: string, tick: number, until: number): Problem {
  return {
    code: 'no-such-tick',
    found: `${time(tick)} of ${name} is too long ago: its run, if it had one, has been deleted`,
    allowed: `a tick after ${time(until)}`,
    fix: 'use --tick now, or start a run by hand: webdata triggers run-now',
  };
}

function noTick(name: string, tick: number, since: number, next: number | undefined): Problem {
  return {
    code: 'no-such-tick',
    found:
      tick <= since
        ? `${time(tick)} is before ${name} was registered or last resumed: ${time(since)}`
        : `${name} does not tick at ${time(tick)}`,
    allowed: next === undefined ? 'a tick of the schedule' : `a tick of the schedule; the next one is at ${time(next)}`,
    fix: 'use --tick now',
  };
}
