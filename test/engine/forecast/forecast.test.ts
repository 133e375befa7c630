/** The ticks, triggers and costs of declared schedules in a time to come. */

import { describe, expect, it } from 'vitest';
import { costOf, costWords } from '../../../src/engine/forecast/costs.ts';
import { forecast, type ScheduleForecast } from '../../../src/engine/forecast/forecast.ts';
import type { Declared } from '../../../src/engine/plan/resources.ts';
import { type Firing, forecasting } from '../../../src/kinds/forecasting.ts';
import type { AnyKind } from '../../../src/kinds/kind.ts';
import { kindProviding } from '../../kinds/offers.ts';

const from = Date.UTC(2026, 2, 1, 12);
const hour = 3_600_000;

const usual: Firing = {
  target: 'c_prices',
  timing: { cron: '0 * * * *', timeZone: 'UTC' },
  overlap: 'skip',
  isPaused: false,
  longestMs: undefined,
};

function declared(name: string, firing: Partial<Firing> | undefined): Declared {
  const its = firing && { firing: () => ({ ...usual, ...firing }) };
  const definition = its ? kindProviding(forecasting, its) : ({ name: 'Other' } as AnyKind);
  return { kind: definition.name, collection: '', name, spec: {}, definition };
}

function hours(count: number, firing: Partial<Firing> = {}, jobMs?: number) {
  return forecast([declared('hourly', firing)], { from, until: from + count * hour, jobMs });
}

describe('a schedule', () => {
  it('ticks from the first moment after the start to the last one of the time, both in order', () => {
    const { ticks, schedules } = hours(3);
    expect(ticks.map(({ at }) => (at - from) / hour)).toEqual([1, 2, 3]);
    expect(ticks[0]).toEqual({
      at: from + hour,
      schedule: 'hourly',
      target: 'c_prices',
      isOverlap: false,
      isTriggered: true,
    });
    expect(schedules).toEqual([
      {
        schedule: 'hourly',
        target: 'c_prices',
        isPaused: false,
        ticks: 3,
        triggers: 3,
        overlaps: undefined,
        jobMs: undefined,
      },
    ]);
  });

  it('does not tick while it is paused', () => {
    const { ticks, schedules, busiestDay } = hours(3, { isPaused: true });
    expect(ticks).toEqual([]);
    expect(busiestDay).toBeUndefined();
    expect(schedules).toMatchObject([{ isPaused: true, ticks: 0, triggers: 0 }]);
  });

  it.each([
    ['skip', 1.5, [true, false, true, false], 2],
    ['skip', 1, [true, true, true, true], 0],
    ['allow', 1.5, [true, true, true, true], 3],
    ['cancel', 1.5, [true, true, true, true], 3],
    ['queue', 1.5, [true, true, true, true], 3],
    // A queue grows: the third job starts two hours late, and is still active at the fourth tick.
    ['queue', 2, [true, true, true, true], 3],
  ] as const)('with overlap %s and jobs of %d hours triggers %j', (overlap, jobHours, triggered, overlaps) => {
    const { ticks, schedules } = hours(4, { overlap }, jobHours * hour);
    expect(ticks.map(({ isTriggered }) => isTriggered)).toEqual(triggered);
    expect(schedules).toMatchObject([
      { ticks: 4, triggers: triggered.filter(Boolean).length, overlaps, jobMs: jobHours * hour },
    ]);
  });

  it('with a queue is active until all its jobs have ended, and with others only until the last one has', () => {
    const gap = { cron: '0,10,20 */3 * * *', timeZone: 'UTC' };
    const overlapping = (overlap: Firing['overlap']) =>
      hours(7, { timing: gap, overlap }, 1.1 * hour).ticks.map(({ isOverlap }) => isOverlap);
    expect(overlapping('allow')).toEqual([false, true, false, true, true, false, true, true]);
    expect(overlapping('cancel')).toEqual([false, true, false, true, true, false, true, true]);
    expect(overlapping('queue')).toEqual([false, true, false, true, true, true, true, true]);
  });

  it('has its own longest time of a job', () => {
    expect(hours(4, { longestMs: 2.5 * hour }, 0.5 * hour).schedules).toMatchObject([
      { jobMs: 2.5 * hour, triggers: 2, overlaps: 2 },
    ]);
  });

  it('lists its first 10,000 ticks, and counts all', () => {
    const { ticks, schedules } = hours(4, { timing: { everyMs: 1000 }, overlap: 'allow' });
    expect(ticks).toHaveLength(10_000);
    expect(schedules).toMatchObject([{ ticks: 14_400, triggers: 14_400 }]);
  });
});

describe('several schedules', () => {
  it('are merged in the order of time, without those of kinds that fire nothing', () => {
    const late = declared('late', { timing: { cron: '30 * * * *', timeZone: 'UTC' } });
    const { ticks, schedules } = forecast([declared('hourly', {}), declared('none', undefined), late], {
      from,
      until: from + 2 * hour,
    });
    expect(ticks.map(({ schedule }) => schedule)).toEqual(['late', 'hourly', 'late', 'hourly']);
    expect(schedules.map(({ schedule }) => schedule)).toEqual(['hourly', 'late']);
  });

  it('have a busiest day: the first one with the most triggers of all', () => {
    const evening = declared('evening', { timing: { cron: '0 23 1 * *', timeZone: 'UTC' } });
    const next = declared('next', { timing: { cron: '0 1,2 2-3 * *', timeZone: 'UTC' } });
    expect(forecast([evening, next], { from, until: from + 72 * hour }).busiestDay).toEqual({
      date: '2026-03-02',
      triggers: 2,
    });
  });
});

describe('the cost', () => {
  const schedule = (target: string, triggers: number) => ({ target, triggers }) as ScheduleForecast;

  it('adds up moves and triggers by their prices', () => {
    const prices = { currency: 'USD', move: 0.1, trigger: 0.5, targets: { c_news: 2, c_free: 0 } };
    const schedules = [schedule('c_prices', 3), schedule('c_news', 2), schedule('c_free', 9)];
    expect(costOf(3, schedules, prices)).toEqual({ amount: 5.8, currency: 'USD', unpriced: [] });
  });

  it('names once what has no price, if it happens', () => {
    const schedules = [schedule('c_a', 1), schedule('c_a', 1), schedule('toString', 1), schedule('c_b', 0)];
    expect(costOf(1, schedules, { targets: {} })).toEqual({
      amount: 0,
      currency: undefined,
      unpriced: ['moves', 'c_a', 'toString'],
    });
    expect(costOf(0, [], {})).toEqual({ amount: 0, currency: undefined, unpriced: [] });
  });

  it('is exact to millionths', () => {
    expect(costOf(3, [], { move: 0.1 }).amount).toBe(0.3);
    expect(costOf(1, [], { move: 0.000_001 }).amount).toBe(0.000_001);
  });

  it.each([
    [{ amount: 12.5, currency: 'USD', unpriced: [] }, '12.50 USD'],
    [{ amount: 1234, currency: undefined, unpriced: [] }, '1,234.00'],
    [{ amount: 0.123_456, currency: 'EUR', unpriced: [] }, '0.123456 EUR'],
    [{ amount: 1, currency: 'USD', unpriced: ['moves', 'c_a'] }, 'at least 1.00 USD (no price of moves, c_a)'],
  ])('%j reads %s', (cost, words) => {
    expect(costWords(cost)).toBe(words);
  });
});
