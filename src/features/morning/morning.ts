/** The model of `webdata triggers report`: the runs of each schedule since a moment. */
import { utcTime } from '../../base/values/utcTime.ts';
import type { RegisteredSchedule } from '../../triggers/api/records.ts';
import { type RunState, type ScheduledRun, wrongStates } from '../../triggers/api/runs.ts';
import type { TriggersClient } from '../../triggers/api/triggersClient.ts';
import { durationMs } from '../../triggers/declared/timingSpec.ts';
import { type TriggerPrices, triggerPrice } from '../../triggers/timing/prices.ts';

export interface Morning {
  since: string;
  until: string;
  schedules: readonly ScheduleMorning[];
  /** True if something needs a person. */
  needsPerson: boolean;
}

export interface ScheduleMorning {
  owner: string;
  schedule: string;
  target: string;
  paused: boolean;
  /** The runs whose tick is in the time, by state. */
  runs: Partial<Record<RunState, number>>;
  /** The rows of the last run that has any, and their usual number: the median of the ten finished runs before it. */
  rows: number | null;
  usualRows: number | null;
  /** The price of the triggers, if the declaration has one. */
  cost: number | null;
  /** The places of the kept rows, the latest first. */
  kept: readonly string[];
  problems: readonly MorningProblem[];
}

export interface MorningProblem {
  what: (typeof wrongStates)[number] | 'missing' | 'late' | 'overdue';
  tickAt: string;
  run: string | null;
  reason: string | null;
}

interface Asked {
  since: number;
  owner?: string | undefined;
  prices?: TriggerPrices | undefined;
}

const pageSize = 1000;

/** Reads schedules and runs. A run that still needs a person counts also if it is older. */
export async function morningOf(triggers: TriggersClient, { since, owner, prices }: Asked): Promise<Morning> {
  const [{ now }, schedules, runs] = await Promise.all([
    triggers.totals(),
    schedulesOf(triggers, owner),
    runsSince(triggers, since, owner),
  ]);
  const mornings = await Promise.all(
    schedules.map(async (schedule) => {
      const mine = runs.filter((run) => run.owner === schedule.owner && run.schedule === schedule.name);
      return scheduleMorning(schedule, mine, { now, prices, usualRows: await usualRows(triggers, schedule, mine) });
    }),
  );
  return {
    since: utcTime(new Date(since).toISOString()),
    until: utcTime(new Date(now).toISOString()),
    schedules: mornings,
    needsPerson: mornings.some(({ problems }) => problems.some(({ what }) => what !== 'late')),
  };
}

async function schedulesOf(triggers: TriggersClient, owner: string | undefined): Promise<RegisteredSchedule[]> {
  const found: RegisteredSchedule[] = [];
  for (;;) {
    const last = found.at(-1);
    const page = await triggers.schedules({
      owner,
      brief: true,
      after: last && `${last.owner}/${last.name}`,
      limit: pageSize,
    });
    found.push(...page);
    if (page.length < pageSize) return found;
  }
}

/** The latest tick first. */
async function runsSince(triggers: TriggersClient, since: number, owner: string | undefined): Promise<ScheduledRun[]> {
  const found: ScheduledRun[] = [];
  for (;;) {
    const page = await triggers.runs({ owner, after: found.at(-1)?.id, limit: pageSize });
    found.push(...page);
    if (page.length < pageSize || (page.at(-1)?.tickAt ?? 0) < since) break;
  }
  return found.filter(({ tickAt }) => tickAt >= since);
}

const comparedRuns = 11;

async function usualRows(
  triggers: TriggersClient,
  { owner, name: schedule }: RegisteredSchedule,
  runs: readonly ScheduledRun[],
): Promise<number | null> {
  const last = runs.find(({ rows }) => rows !== null);
  if (last === undefined) return null;
  const finished = await triggers.runs({ owner, schedule, states: ['finished'], limit: comparedRuns });
  const counts = finished.flatMap(({ id, rows }) => (id === last.id || rows === null ? [] : [rows]));
  return (
    counts.slice(0, comparedRuns - 1).sort((a, b) => a - b)[
      Math.floor(Math.min(counts.length, comparedRuns - 1) / 2)
    ] ?? null
  );
}

interface Facts {
  now: number;
  prices: TriggerPrices | undefined;
  usualRows: number | null;
}

function scheduleMorning(
  { owner, name, spec, nextTickAt, unresolved }: RegisteredSchedule,
  runs: readonly ScheduledRun[],
  { now, prices, usualRows: usual }: Facts,
): ScheduleMorning {
  const target = String(spec.collector ?? spec.dataset);
  const price = prices && triggerPrice(target, prices);
  const older = unresolved.filter(({ id }) => !runs.some((run) => run.id === id));
  const isOverdue = nextTickAt !== null && nextTickAt + durationMs(String(spec.lateAfter)) < now;
  const triggered = runs.filter(({ triggeredAt }) => triggeredAt !== null).length;
  return {
    owner,
    schedule: name,
    target,
    paused: spec.paused === true,
    runs: Object.fromEntries(
      [...Map.groupBy(runs, ({ state }) => state)].map(([state, { length }]) => [state, length]),
    ),
    rows: runs.find(({ rows }) => rows !== null)?.rows ?? null,
    usualRows: usual,
    // Sums of prices such as 0.1 are not exact.
    cost: price === undefined ? null : Math.round(price * triggered * 1e6) / 1e6,
    kept: runs.flatMap(({ kept }) => (kept === null ? [] : [kept])),
    problems: [
      ...(isOverdue
        ? [
            {
              what: 'overdue',
              tickAt: timeOf(nextTickAt),
              run: null,
              reason: 'no round or server has fired it',
            } as const,
          ]
        : []),
      ...[...runs, ...older].flatMap(problemsOf),
    ],
  };
}

function problemsOf({ state, late, tickAt, id: run, reason }: ScheduledRun): MorningProblem[] {
  const about = { tickAt: timeOf(tickAt), run, reason };
  const what = wrongStates.find((wrong) => wrong === state);
  if (what !== undefined) return [{ what, ...about }];
  // The reason of a tick that no round or server has found in time: `dueTicks.ts`.
  if (state === 'skipped' && reason?.startsWith('missed')) return [{ what: 'missing', ...about }];
  return late ? [{ what: 'late', ...about }] : [];
}

function timeOf(at: number): string {
  return utcTime(new Date(at).toISOString());
}
