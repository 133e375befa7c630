/** Times that a user writes. */
import { expect, it } from 'vitest';
import { parseInstant } from '../../../src/base/values/utcTime.ts';

it.each([
  ['2026-03-01T03:00:00Z', '2026-03-01T03:00:00.000Z'],
  ['2026-03-01T03:00+05:30', '2026-02-28T21:30:00.000Z'],
  ['2028-02-29T23:59:59.5-01:00', '2028-03-01T00:59:59.500Z'],
  ['2026-12-31T00:00Z', '2026-12-31T00:00:00.000Z'],
])('%s is a time', (text, iso) => {
  expect(new Date(parseInstant(text) ?? Number.NaN).toISOString()).toBe(iso);
});

it.each([
  '2026-02-30T02:00:00Z',
  '2026-02-29T02:00:00Z',
  '2026-04-31T02:00:00+02:00',
  '2026-13-01T02:00:00Z',
  '2026-00-10T02:00:00Z',
  '2026-01-00T02:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T10:60:00Z',
  '2026-01-01T10:00:60Z',
  '2026-01-01T10:00:00+25:00',
  '2026-01-01T10:00:00',
  '2026-01-01',
])('%s is no time', (text) => {
  expect(parseInstant(text)).toBeUndefined();
});
