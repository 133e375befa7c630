/** The model of `webdata triggers report`: what each schedule did since a moment, with its cost. */
import { utcTime } from '../../base/values/utcTime.ts';
import type { ScheduleReport } from '../../triggers/api/report.ts';
import type { TriggersClient } from '../../triggers/api/triggersClient.ts';
import { type TriggerPrices, triggerPrice } from '../../triggers/timing/prices.ts';

export interface Morning {
  since: string;
  until: string;
  schedules: readonly ScheduleMorning[];
  /** True if something needs a person. */
  needsPerson: boolean;
}

export type ScheduleMorning = ReturnType<typeof withCost>;

interface Asked {
  since: number;
  owner?: string | undefined;
  prices?: TriggerPrices | undefined;
}

const pageSize = 100;

export async function morningOf(triggers: TriggersClient, { since, owner, prices }: Asked): Promise<Morning> {
  const schedules: ScheduleMorning[] = [];
  for (;;) {
    const last = schedules.at(-1);
    const after = last && `${last.owner}/${last.schedule}`;
    const page = await triggers.report({ since, owner, after, limit: pageSize });
    schedules.push(...page.schedules.map((each) => withCost(each, prices)));
    if (page.schedules.length === pageSize) continue;
    return {
      since: timeOf(since),
      until: timeOf(page.until),
      schedules,
      needsPerson: schedules.some(({ problems }) => problems.some(({ what }) => what !== 'late')),
    };
  }
}

/** Adds the price of the triggers, if the declaration has one. */
function withCost({ problems, ...each }: ScheduleReport, prices: TriggerPrices | undefined) {
  const price = prices && triggerPrice(each.target, prices);
  return {
    ...each,
    // Sums of prices such as 0.1 are not exact.
    cost: price === undefined ? null : Math.round(price * each.triggered * 1e6) / 1e6,
    problems: problems.map((problem) => ({ ...problem, tickAt: timeOf(problem.tickAt) })),
  };
}

function timeOf(at: number): string {
  return utcTime(new Date(at).toISOString());
}
