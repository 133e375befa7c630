/** Timings of all kinds, and days on which clocks change. */
import fc from 'fast-check';
import type { Timing } from '../../src/triggers/timing/timing.ts';

export const clockChanges = [
  { timeZone: 'Europe/Berlin', day: '2026-03-29T00:00Z' },
  { timeZone: 'Europe/Berlin', day: '2026-10-25T00:00Z' },
  { timeZone: 'America/New_York', day: '2026-03-08T00:00Z' },
  { timeZone: 'America/New_York', day: '2026-11-01T00:00Z' },
  { timeZone: 'Australia/Lord_Howe', day: '2026-10-04T00:00Z' },
  { timeZone: 'Australia/Lord_Howe', day: '2026-04-05T00:00Z' },
  { timeZone: 'America/Santiago', day: '2026-09-06T00:00Z' },
  { timeZone: 'UTC', day: '2026-03-29T00:00Z' },
];

const anyZone = fc.constantFrom(...new Set(clockChanges.map(({ timeZone }) => timeZone)));

const anyMinute = fc.oneof(fc.constant('*'), fc.constantFrom('*/15', '0,30', '5-50/7'), fc.nat(59).map(String));
const anyHour = fc.oneof(fc.constant('*'), fc.constantFrom('*/2', '0-3', '1,2', '2', '22-23'), fc.nat(23).map(String));
const anyDay = fc.constantFrom(
  '* * *',
  '* * *',
  '1 * *',
  'L * *',
  '* * MON-FRI',
  '13 * FRI',
  '* * SUN#1',
  '* 2-11 *',
  '* * 5L',
  '*/2 * 1',
);

/** With seconds, or without. */
export const anyCron = fc
  .tuple(fc.constantFrom('', '', '*/20 ', '59 '), anyMinute, anyHour, anyDay)
  .map(([seconds, minute, hour, day]) => `${seconds}${minute} ${hour} ${day}`);

const everySeconds = [1, 5, 7, 30, 60, 90, 300, 3600, 5400, 86_400, 604_800];

export const anyTiming: fc.Arbitrary<Timing> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ cron: anyCron, timeZone: anyZone }) },
  { weight: 1, arbitrary: fc.constantFrom(...everySeconds).map((seconds) => ({ everyMs: seconds * 1000 })) },
);
