/** When schedules tick: what the clock does to them, and that every way of asking comes to the same ticks. */
import { CronExpressionParser } from 'cron-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { latestTick, nextTick, type Timing, ticksBetween } from '../../src/triggers/timing/timing.ts';
import { anyCron, anyTiming, clockChanges } from './timings.ts';

const dayMs = 86_400_000;

function ticks(timing: Timing, from: string, until: string): string[] {
  const [start, end] = [Date.parse(from), Date.parse(until)];
  return ticksBetween(timing, start - 1, end, 10_000).map((tick) => new Date(tick).toISOString().slice(0, 16));
}

/** Every quarter of an hour of these. */
function quarters(from: string, until: string): string[] {
  const [start, end] = [Date.parse(`2026-01-01T${from}Z`), Date.parse(`2026-01-01T${until}Z`)];
  const count = (end - start) / 900_000 + 1;
  return Array.from({ length: count }, (_, index) => new Date(start + index * 900_000).toISOString().slice(11, 16));
}

/** In UTC, where no clock lies: the hours around the change, in which all that is peculiar happens. */
describe('the day the clocks change', () => {
  const forward = {
    berlin: ['Europe/Berlin', '2026-03-29T00:00Z', '2026-03-29T03:00Z'],
    // By half an hour: from 02:00 (15:30 in UTC) on it is 02:30.
    lordHowe: ['Australia/Lord_Howe', '2026-10-03T14:30Z', '2026-10-03T17:00Z'],
  } as const;
  const back = {
    berlin: ['Europe/Berlin', '2026-10-25T00:00Z', '2026-10-25T02:30Z'],
    // By half an hour: at 02:00 (15:00 in UTC) it is 01:30 again.
    lordHowe: ['Australia/Lord_Howe', '2026-04-04T14:00Z', '2026-04-04T17:00Z'],
  } as const;

  it.each([
    // Berlin skips 02:00 to 03:00: what was due then ticks from 03:00 to 04:00, which is 01:00 to 02:00 in UTC.
    [forward.berlin, '0,30 2 * * *', ['01:00', '01:30']],
    [forward.berlin, '30 2 * * *', ['01:30']],
    [forward.berlin, '*/15 2,3 * * *', ['01:00', '01:15', '01:30', '01:45']],
    [forward.berlin, '*/15 * * * *', quarters('00:00', '03:00')],
    [forward.berlin, '0 * * * *', ['00:00', '01:00', '02:00', '03:00']],
    // Lord Howe skips 02:00 to 02:30: what was due at 02:00 ticks at 02:30, and once only where that was due too.
    [forward.lordHowe, '0,30 2 * * *', ['15:30']],
    [forward.lordHowe, '0 2 * * *', ['15:30']],
    [forward.lordHowe, '30 2 * * *', ['15:30']],
    [forward.lordHowe, '*/15 * * * *', quarters('14:30', '17:00')],
    [forward.lordHowe, '0 * * * *', ['14:30', '15:30', '16:00', '17:00']],
    // Berlin shows 02:00 to 03:00 twice: a given hour ticks the first time, every hour ticks both times.
    [back.berlin, '0,30 2 * * *', ['00:00', '00:30']],
    [back.berlin, '30 2 * * *', ['00:30']],
    [back.berlin, '*/15 * * * *', quarters('00:00', '02:30')],
    [back.berlin, '0 * * * *', ['00:00', '01:00', '02:00']],
    // Lord Howe shows 01:30 to 02:00 twice.
    [back.lordHowe, '30,45 1 * * *', ['14:30', '14:45']],
    [back.lordHowe, '0,30 2 * * *', ['15:30', '16:00']],
    [back.lordHowe, '30 2 * * *', ['16:00']],
    [back.lordHowe, '*/15 * * * *', quarters('14:00', '17:00')],
    [back.lordHowe, '0 * * * *', ['14:00', '15:30', '16:30']],
    [back.lordHowe, '30 * * * *', ['14:30', '15:00', '16:00', '17:00']],
  ] as const)('in %s, `%s` ticks at %s', ([timeZone, from, until], cron, expected) => {
    expect(ticks({ cron, timeZone }, from, until).map((tick) => tick.slice(11))).toEqual(expected);
  });

  it('moves ticks of a midnight that the clock change skips', () => {
    const timing = { cron: '30 0 * * *', timeZone: 'America/Santiago' };
    expect(ticks(timing, '2026-09-05T00:00Z', '2026-09-08T00:00Z')).toEqual([
      '2026-09-05T04:30',
      '2026-09-06T04:30',
      '2026-09-07T03:30',
    ]);
  });

  it('returns one tick a day for a daily schedule, despite clock changes', () => {
    fc.assert(
      fc.property(fc.constantFrom(...clockChanges), fc.nat(23), fc.nat(59), ({ timeZone, day }, hour, minute) => {
        const timing = { cron: `${minute} ${hour} * * *`, timeZone };
        const start = Date.parse(day) - 2 * dayMs;
        const found = ticksBetween(timing, start, start + 5 * dayMs, 100);
        expect(found.length).toBeGreaterThanOrEqual(4);
        expect(found.length).toBeLessThanOrEqual(6);
        const gaps = found.slice(1).map((tick, index) => tick - (found[index] ?? 0));
        for (const gap of gaps) expect(Math.abs(gap - dayMs)).toBeLessThanOrEqual(3_600_000);
      }),
    );
  });
});

describe('ticks', () => {
  it.each([
    ['every 5 minutes', { everyMs: 300_000 }, ['10:05', '10:10', '10:15']],
    [
      'a cron for days of the month and of the week, of which either will do',
      cron('0 0 13 * FRI'),
      ['08-07', '08-13', '08-14'],
    ],
    ['a cron for every second day that is a Monday', cron('0 0 */2 * 1'), ['08-03', '08-17', '08-31']],
    ['a cron whose weekdays begin with a star', cron('0 0 13 * */5'), ['09-13', '11-13', '12-13']],
    ['a cron for all days of the month, written as a range', cron('0 0 1-31 * 1'), ['08-01', '08-02', '08-03']],
    ['a word of cron', cron('@midnight'), ['08-01', '08-02', '08-03']],
    ['a cron for the last day of the month', cron('0 0 L * *'), ['08-31', '09-30', '10-31']],
    ['a cron for the third Friday', cron('0 0 * * FRI#3'), ['08-21', '09-18', '10-16']],
    ['a cron for the last Sunday', cron('0 0 * * 7L'), ['08-30', '09-27', '10-25']],
    ['a cron with seconds', cron('*/20 * * * * *'), ['10:00', '10:00', '10:01']],
    ['a word', cron('@weekly'), ['08-02', '08-09', '08-16']],
    ['a yearly cron', cron('0 0 1 JAN *'), ['2027-01-01', '2028-01-01', '2029-01-01']],
    ['a cron for leap days', cron('0 0 29 2 *'), ['2028-02-29', '2032-02-29', '2036-02-29']],
  ])('of %s', (_, timing, expected) => {
    // A Friday.
    const found = ticksBetween(timing, Date.parse('2026-07-31T10:00Z'), Number.MAX_SAFE_INTEGER, 3);
    expect(found.map((tick) => new Date(tick).toISOString())).toEqual(
      expected.map((part) => expect.stringContaining(part)),
    );
  });

  it('end if the days of a schedule do not occur again within decades', () => {
    // The fifth Friday of a February comes 28 years apart, and 40 years around 2100.
    expect(nextTick(cron('0 0 * 2 5#5'), Date.parse('2072-03-01'))).toBe(Date.parse('2092-02-29'));
    expect(latestTick(cron('0 0 * 2 5#5'), Date.parse('2091-01-01'))).toBe(Date.parse('2064-02-29'));
  });
});

describe('for any timing', () => {
  it('a cron expression ticks in the same minutes as in another parser', () => {
    fc.assert(
      fc.property(
        anyCron.filter((text) => !/\*\/\d+ \S+ \d+$/.test(text)),
        fc.nat(2000),
        (text, days) => {
          const start = Date.parse('2026-01-01') + days * dayMs;
          const expression = CronExpressionParser.parse(text, { tz: 'UTC', currentDate: 0 });
          const [second = 0] = expression.fields.second.values;
          const instants = Array.from({ length: 1440 }, (_, minute) => start + minute * 60_000 + second * 1000);
          // The other parser knows another rule for two day fields.
          const expected = instants.filter((instant) => expression.includesDate(new Date(instant)));
          const found = ticksBetween(cron(text), start - 1, start + dayMs - 1, 5000);
          expect(found.filter((tick) => tick % 60_000 === second * 1000)).toEqual(expected);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('the two day fields combine as in Vixie cron: a field that begins with a star makes both count', () => {
    const anyDate = fc.constantFrom('*', '*/2', '*/7', '1-31', '13', '1,15', '2-30/7');
    const anyWeekday = fc.constantFrom('*', '*/2', '*/3', '0-6', '1', 'FRI', '0,3', 'MON-FRI', '6,0-2');
    const matches = (field: string, index: number, value: number) =>
      CronExpressionParser.parse(['0', '0', '*', '*', '*'].with(index, field).join(' '), {
        tz: 'UTC',
      }).fields[index === 2 ? 'dayOfMonth' : 'dayOfWeek'].values.some((each) => Number(each) === value);
    fc.assert(
      fc.property(anyDate, anyWeekday, (date, weekday) => {
        const start = Date.parse('2026-01-01');
        const days = Array.from({ length: 120 }, (_, index) => start + index * dayMs);
        const expected = days.filter((day) => {
          const at = new Date(day);
          const [isDate, isWeekday] = [matches(date, 2, at.getUTCDate()), matches(weekday, 4, at.getUTCDay())];
          return [date, weekday].some((field) => field.startsWith('*')) ? isDate && isWeekday : isDate || isWeekday;
        });
        expect(ticksBetween(cron(`0 0 ${date} * ${weekday}`), start - 1, start + 119 * dayMs, 200)).toEqual(expected);
      }),
    );
  });

  const anyInstant = fc
    .constantFrom(...clockChanges)
    .chain(({ day }) => fc.integer({ min: -2 * dayMs, max: 3 * dayMs }).map((offset) => Date.parse(day) + offset));

  it('the next tick is later, on a whole second, and the same for every earlier time', () => {
    fc.assert(
      fc.property(anyTiming, anyInstant, fc.double({ min: 0, max: 1, noNaN: true }), (timing, after, share) => {
        const next = nextTick(timing, after);
        if (next === undefined) throw new Error('there is no timing among these that ends');
        expect(next).toBeGreaterThan(after);
        expect(next % 1000).toBe(0);
        expect(nextTick(timing, after + Math.floor(share * (next - after - 1)))).toBe(next);
        expect(nextTick(timing, next - 1)).toBe(next);
      }),
    );
  });

  it('the ticks of a period are consecutive, and at most as many as requested', () => {
    fc.assert(
      fc.property(anyTiming, anyInstant, fc.nat(2 * dayMs), fc.nat(20), (timing, after, span, limit) => {
        const followed: number[] = [];
        for (let next = nextTick(timing, after); next !== undefined && next <= after + span; ) {
          if (followed.length === limit) break;
          followed.push(next);
          next = nextTick(timing, next);
        }
        expect(ticksBetween(timing, after, after + span, limit)).toEqual(followed);
        expect(followed.length).toBeLessThanOrEqual(limit);
      }),
    );
  });

  it('the latest tick has no tick between it and the given time', () => {
    fc.assert(
      fc.property(anyTiming, anyInstant, (timing, at) => {
        const latest = latestTick(timing, at);
        if (latest === undefined) throw new Error('there is no timing among these that has not begun');
        expect(latest).toBeLessThanOrEqual(at);
        expect(nextTick(timing, latest - 1)).toBe(latest);
        expect(nextTick(timing, latest) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(at);
      }),
      { numRuns: 50 },
    );
  });
});

function cron(text: string): Timing {
  return { cron: text, timeZone: 'UTC' };
}
