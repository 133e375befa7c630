/** The forecast of `webdata simulate --for`, as tables and as JSON. */
import { counted } from '../../base/diagnostics/valueWords.ts';
import { utcTime } from '../../base/values/utcTime.ts';
import type { Prices } from '../../engine/declaration/prices.ts';
import { type Cost, costOf, costWords } from '../../engine/forecast/costs.ts';
import type { Forecast, ForecastTick } from '../../engine/forecast/forecast.ts';
import type { SimulationDocument } from '../../features/simulate/simulationSchema.ts';
import type { TextOptions } from '../../report/model/style.ts';
import { prose } from '../../report/text/layout.ts';
import { tableText } from './tableText.ts';

export interface PricedForecast extends Forecast {
  /** The IPs that the plan moves. */
  moves: number;
  prices: Prices | undefined;
}

const fewTicks = 20;

export function forecastText(given: PricedForecast, options: TextOptions): string {
  const { from, until, schedules, ticks, busiestDay, moves, prices } = given;
  const total = prices && costWords(costOf(moves, schedules, prices));
  const triggers = schedules.reduce((sum, each) => sum + each.triggers, 0);
  const shown = options.full ? ticks : ticks.slice(0, fewTicks);
  const listed = schedules.reduce((sum, each) => sum + each.ticks, 0);
  const most = busiestDay === undefined ? '' : `, at most ${busiestDay.triggers} a day (${busiestDay.date})`;
  const blocks = [
    `Schedules from ${timeOf(from)} to ${timeOf(until)}\n`,
    tableText(scheduleColumns, scheduleRows(given), options),
    ...(shown.length === 0
      ? []
      : ['\n', tableText(['tick', 'schedule', 'target', 'remark'], shown.map(tickRow), options)]),
    ...(listed > shown.length
      ? [`… and ${counted(listed - shown.length, 'more tick')}: --full and --format json show more\n`]
      : []),
    '\n',
    prose(`Forecast: ${counted(triggers, 'trigger')}${most}${costSentence(total, moves)}.`, options.width),
    '\n',
    ...(schedules.some(({ overlaps, isPaused }) => overlaps === undefined && !isPaused)
      ? [
          prose(
            'Overlaps are not known without the duration of a job: pass --job-time, or declare maxTime.',
            options.width,
          ),
          '\n',
        ]
      : []),
    prose(
      'Not modelled: schedules that are registered and not declared; late, failed and repeated triggers.',
      options.width,
    ),
    '\n',
  ];
  return blocks.join('');
}

function costSentence(total: string | undefined, moves: number): string {
  if (total === undefined) return '; no costs without `prices` in the declaration';
  return `; ${moves === 0 ? '' : `with ${counted(moves, 'move')} of the plan `}they cost ${total}`;
}

const scheduleColumns = ['schedule', 'target', 'ticks', 'triggers', 'overlaps', 'jobTime', 'cost', 'state'];

function scheduleRows({ schedules, prices }: PricedForecast): Record<string, unknown>[] {
  return schedules.map(({ jobMs, isPaused, ...schedule }) => ({
    ...schedule,
    jobTime: jobMs === undefined ? undefined : `${jobMs / 60_000} min`,
    cost: prices && rowCost(costOf(0, [{ ...schedule, jobMs, isPaused }], prices)),
    state: isPaused ? 'paused' : undefined,
  }));
}

function rowCost(cost: Cost): string {
  return cost.unpriced.length > 0 ? 'no price' : costWords(cost);
}

function tickRow({ at, schedule, target, isOverlap, isTriggered }: ForecastTick): Record<string, unknown> {
  const remark = isTriggered ? 'an earlier job may be active' : 'skipped: an earlier job is active';
  return { tick: timeOf(at), schedule, target, remark: isOverlap ? remark : undefined };
}

/** Returns the fields of the JSON document. */
export function forecastDocument(given: PricedForecast): NonNullable<SimulationDocument['forecast']> {
  const { from, until, schedules, ticks, busiestDay, moves, prices } = given;
  return {
    from: new Date(from).toISOString(),
    until: new Date(until).toISOString(),
    schedules,
    ticks: ticks.map((tick) => ({ ...tick, at: new Date(tick.at).toISOString() })),
    triggers: schedules.reduce((sum, each) => sum + each.triggers, 0),
    busiestDay,
    moves,
    cost: prices && costOf(moves, schedules, prices),
  };
}

function timeOf(ms: number): string {
  return utcTime(new Date(ms).toISOString());
}
