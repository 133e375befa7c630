/** The note on how often a schedule fires. */
import { expect, it } from 'vitest';
import { firingNote } from '../../../src/kinds/collectorSchedule/scheduleHealth.ts';
import { scheduleSpec } from '../../../src/triggers/spec/scheduleSpec.ts';

const now = Date.UTC(2026, 2, 1, 12, 0, 0, 999);

it.each([
  [{ every: '1s' }, 'about 86,400 triggers a day'],
  [{ every: '15m' }, 'about 96 triggers a day'],
  [{ cron: '0 3 * * *' }, 'about 1 trigger a day'],
  [{ cron: '0 3 1 * *' }, 'about 1 trigger a month'],
  [{ cron: '0 3 1 1 *' }, 'about 1 trigger a year'],
  [{ cron: '0 3 29 2 *' }, 'no trigger within a year'],
])('%j fires %s', (timing, expected) => {
  const spec = scheduleSpec.parse({
    collector: 'c_prices',
    inputs: [{ url: 'https://shop.example.com/a' }],
    ...timing,
  });
  expect(firingNote(spec, now).text).toBe(`${expected}, each is billed`);
});
