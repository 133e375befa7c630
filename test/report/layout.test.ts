/** Tables of the text reports. */
import { expect, it } from 'vitest';
import { table } from '../../src/report/text/layout.ts';

it.each([
  ['of blanks', ' '],
  ['without text', ''],
])('a row whose last cell is colored and %s ends without blanks, as it does without colors', (_, cell) => {
  const row = (last: string) => [{ cells: ['zone', last], words: [] }];
  expect(table(row(cell), 2, 80)).toEqual(['  zone']);
  expect(table(row(`\u001b[31m${cell}\u001b[39m`), 2, 80)).toEqual(['  zone\u001b[31m\u001b[39m']);
});
