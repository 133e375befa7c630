/** Numbers as people read them. */
import { expect, it } from 'vitest';
import { counted, formatNumber } from '../../../src/base/diagnostics/valueWords.ts';

it.each([
  0, 7, 999, 1000, 12_345, 999_999, 1_000_000, 123_456_789, -12, -999, -1000, -123_456, 0.5, 1234.5, -1234.5678,
])('the number %s has the separators of English', (number) => {
  expect(formatNumber(number)).toBe(number.toLocaleString('en'));
});

it('a count has its noun in the singular for one', () => {
  expect([0, 1, 2000].map((count) => counted(count, 'IP'))).toEqual(['0 IPs', '1 IP', '2,000 IPs']);
});
