/** The notes on how often a schedule fires, and on ticks and runs that went wrong. */
import { expect, it } from 'vitest';
import { firingNote, healthNotes } from '../../../src/kinds/collectorSchedule/scheduleHealth.ts';
import type { RegisteredSchedule } from '../../../src/triggers/api/records.ts';
import type { ScheduledRun } from '../../../src/triggers/api/runs.ts';
import { scheduleSpec } from '../../../src/triggers/declared/scheduleSpec.ts';

const now = Date.UTC(2026, 2, 1, 12, 0, 0, 999);

it.each([
  [{ every: '1s' }, 'about 86,400 triggers a day'],
  [{ every: '15m' }, 'about 96 triggers a day'],
  [{ cron: '0 3 * * *' }, 'about 1 trigger a day'],
  [{ cron: '0 3 1 * *' }, 'about 1 trigger a month'],
  [{ cron: '0 3 1 1 *' }, 'about 1 trigger a year'],
  [{ cron: '0 3 29 2 *' }, 'no trigger within a year'],
])('%j fires %s', (timing, expected) => {
  const spec = scheduleSpec().parse({
    collector: 'c_prices',
    inputs: [{ url: 'https://shop.example.com/a' }],
    ...timing,
  });
  expect(firingNote(spec, now).text).toBe(expected.startsWith('about') ? `${expected}, each is billed` : expected);
});

it.each([
  ['0 0 13 * FRI', /It fires on days that match the day of month or the day of week$/],
  [
    '0 0 */2 * 1',
    /^about 2 triggers a month, each is billed\. It fires on days that match both .* begins with a star$/,
  ],
  ['0 0 */2 * *', /each is billed$/],
])('a plan says how the day fields of `%s` combine', (cron, expected) => {
  const spec = scheduleSpec().parse({ collector: 'c_prices', inputs: [{}], cron });
  expect(firingNote(spec, now).text).toMatch(expected);
});

it('a paused schedule fires nothing', () => {
  const spec = scheduleSpec().parse({ collector: 'c_prices', inputs: [{}], every: '1h', paused: true });
  expect(firingNote(spec, now).text).toBe('the schedule is paused, and triggers nothing');
});

const noon = Date.UTC(2026, 2, 1, 12);

function notes(
  lastRun: Partial<ScheduledRun> | null,
  nextTickAt: number | null = noon,
  at = noon,
  spec: object = { lateAfter: '5m' },
) {
  const registered = {
    spec,
    nextTickAt,
    lastRun: lastRun && { id: 'r_1', tickAt: noon, reason: null, late: false, ...lastRun },
    unresolved:
      lastRun?.state === 'unknown' || lastRun?.state === 'unkept' ? [{ id: 'r_1', tickAt: noon, ...lastRun }] : [],
  } as unknown as RegisteredSchedule;
  return healthNotes(registered, at).map(({ code, text }) => `${code}: ${text}`);
}

it('a tick is overdue after lateAfter, and not before', () => {
  expect(notes(null, noon, noon + 300_000)).toEqual([]);
  expect(notes(null, noon, noon + 300_001)).toEqual([
    'overdue: did not fire at 2026-03-01T12:00:00Z: see whether the trigger service runs',
  ]);
  expect(notes(null, null, noon + 300_001)).toEqual([]);
});

it('a next tick that leaves others out shows that the clock was ahead', () => {
  const hourly = { lateAfter: '5m', every: '1h' };
  const hour = 3_600_000;
  expect(notes(null, noon + hour, noon, hourly)).toEqual([]);
  // The schedule ticked after the time was read.
  expect(notes(null, noon + 2 * hour, noon + hour - 1000, hourly)).toEqual([]);
  expect(notes(null, noon + 48 * hour, noon, hourly)).toEqual([
    expect.stringMatching(/^clock-ahead: fires nothing until 2026-03-03T12:00:00Z: the clock of .* was ahead\./),
  ]);
  expect(notes(null, noon + 48 * hour, noon, { ...hourly, cron: '0 0 * * *', timeZone: 'Mars/Base' })).toEqual([]);
});

it('a paused schedule does not show that its last tick was skipped', () => {
  const skipped = { state: 'skipped', late: true, reason: 'no' } as const;
  expect(notes(skipped, null, noon, { lateAfter: '5m', paused: true })).toEqual([]);
});

it.each([
  [{ state: 'finished' }, []],
  [{ state: 'skipped' }, []],
  [{ state: 'skipped', late: true }, ['run-skipped: skipped at 2026-03-01T12:00:00Z']],
  [{ state: 'skipped', late: true, reason: 'no' }, ['run-skipped: skipped at 2026-03-01T12:00:00Z: no']],
  [{ state: 'running', late: true }, ['run-late: the run of 2026-03-01T12:00:00Z was late']],
  [{ state: 'failed' }, ['run-failed: the run of 2026-03-01T12:00:00Z failed']],
  [{ state: 'failed', reason: 'no' }, ['run-failed: the run of 2026-03-01T12:00:00Z failed: no']],
  [{ state: 'given-up' }, ['run-given-up: the run of 2026-03-01T12:00:00Z was given up']],
  [{ state: 'given-up', reason: 'no' }, ['run-given-up: the run of 2026-03-01T12:00:00Z was given up: no']],
  [
    { state: 'unknown' },
    [
      'run-unknown: the outcome of the run of 2026-03-01T12:00:00Z is unknown: it may have been accepted and billed. Resolve it with `webdata triggers resolve r_1`',
    ],
  ],
] as const)('a last run %j has the notes %j', (lastRun, expected) => {
  expect(notes(lastRun)).toEqual(expected);
});
