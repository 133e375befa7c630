/** What people write of a schedule's timing: what is taken, and what is said of the rest. */
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { valueProblems } from '../../src/base/diagnostics/zodProblems.ts';
import { cronText, duration, durationMs, timeZoneName } from '../../src/triggers/declared/timingSpec.ts';
import { parseCron } from '../../src/triggers/timing/cron.ts';

describe('a cron expression', () => {
  it.each([
    '0 3 * * *',
    ' */15  8-18 * jan-MAR mon-FRI ',
    '30 0 3 * * *',
    '0 0 L * *',
    '0 0 * * 5#3',
    '0 0 * * 7',
    '0 0 * * THU',
    '*/60 * * * *',
    '@daily',
    '@midnight',
    // Mondays come, though the 30th does not.
    '0 0 30 2 1',
  ])('may be `%s`', (text) => {
    expect(valueProblems(cronText, text)).toEqual([]);
    expect(text).toMatch(patternOf(cronText));
  });

  it.each([
    ['61 * * * *', 'the minute of `61 * * * *` is `61`', '0 to 59'],
    ['* 24 * * *', 'the hour of `* 24 * * *` is `24`', '0 to 23'],
    ['60 * * * * *', 'the second of `60 * * * * *` is `60`', '0 to 59'],
    ['0 0 0 * *', 'the day of month of `0 0 0 * *` is `0`', '1 to 31, or L'],
    ['0 0 1 FOO *', 'the month of `0 0 1 FOO *` is `FOO`', '1 to 12, or JAN to DEC'],
    ['0 0 * * 8', 'the day of week of `0 0 * * 8` is `8`', '0 to 7'],
    ['*/0 * * * *', 'the minute of `*/0 * * * *` is `*/0`', '0 to 59'],
    ['5-1 * * * *', 'the minute of `5-1 * * * *` is `5-1`', 'an ascending range 1-5'],
    [
      '*/90 * * * *',
      'the minute of `*/90 * * * *` is `*/90`, a step that is longer than its 60 values, after which it starts over',
      'steps up to 60',
    ],
    [
      '0 3 1-31/40 * *',
      'the day of month of `0 3 1-31/40 * *` is `1-31/40`, a step that is longer than its 31 values',
      'up to 31',
    ],
    ['0 3 , * *', 'the day of month of `0 3 , * *` is `,`', '1 to 31'],
    ['0 0 * * 1,5#3', 'the day of week of `0 0 * * 1,5#3` is `1,5#3`', 'neither in a list'],
    ['0 0 * * 5#2,5#3', 'is `5#2,5#3`', '5#3 is the third Friday'],
    ['0 0 * * 0,7', 'is `0,7`', '0 to 7 (Sunday is both)'],
    ['H 3 * * *', 'the minute of `H 3 * * *` is `H`', '0 to 59'],
    ['0 3 * *', '`0 3 * *` has 4 fields', '5 fields (minute, hour, day of month, month, day of week), or 6'],
    ['0 0 0 3 * * *', '`0 0 0 3 * * *` has 7 fields', '5 fields'],
    ['', '`` has 0 fields', '5 fields'],
    ['@reboot', '`@reboot` is not a known nickname', '@daily'],
    ['CRON_TZ=UTC 0 3 * * *', '`CRON_TZ=UTC 0 3 * * *` begins with a time zone', 'belongs in `timeZone`'],
  ])('is not `%s`, and it is said which field is wrong', (text, found, allowed) => {
    expect(valueProblems(cronText, text)).toMatchObject([
      { code: 'wrong-cron', found: expect.stringContaining(found), allowed: expect.stringContaining(allowed) },
    ]);
  });

  it.each(['0 0 31 2 *', '0 0 30 2 *', '0 0 31 4,6,9,11 *'])('is refused where it never fires, as `%s`', (text) => {
    expect(valueProblems(cronText, text)).toMatchObject([
      { code: 'cron-never-fires', found: `\`${text}\` never fires`, fix: expect.stringContaining('L is the last day') },
    ]);
  });

  it.each([
    '0 0 1,,2 * *',
    '0 3 1, * *',
    '0 3 ,1 * *',
    ',,5,5 * * * * *',
    '0 3 * jan,,FEB *',
    '0 3 1 * MON,',
  ])('is not `%s`, whose list has an empty item', (text) => {
    expect(valueProblems(cronText, text)).toMatchObject([{ code: 'wrong-cron' }]);
    expect(() => parseCron(text)).toThrow();
  });

  it('gets a suggestion for a mistyped word', () => {
    expect(valueProblems(cronText, '@dialy')).toMatchObject([{ fix: 'did you mean `@daily`?' }]);
  });
});

describe('a time zone', () => {
  it.each([
    'Europe/Berlin',
    'America/Argentina/Buenos_Aires',
    'UTC',
    'Etc/UTC',
    'Etc/GMT+5',
    'US/Eastern',
    'Asia/Calcutta',
    'GMT',
    'CET',
  ])('may be %s', (name) => {
    expect(valueProblems(timeZoneName, name)).toEqual([]);
    expect(name).toMatch(patternOf(timeZoneName));
  });

  it.each([
    ['Europe/Berln', 'did you mean `Europe/Berlin`?'],
    ['europe/berlin', 'did you mean `Europe/Berlin`?'],
    ['Europe/Paris ', 'did you mean `Europe/Paris`?'],
    ['+02:00', 'use the continent and a city of the zone'],
    ['utc', 'did you mean `UTC`?'],
    ['Rome', 'use the continent and a city of the zone'],
    ['BST', 'use the continent and a city of the zone'],
    ['CEST', 'use the continent and a city of the zone'],
  ])('is not `%s`, and the nearest is offered', (name, fix) => {
    expect(valueProblems(timeZoneName, name)).toMatchObject([
      { code: 'unknown-time-zone', found: `\`${name}\` is not a time zone`, fix },
    ]);
  });
});

describe('a duration', () => {
  it.each([
    ['1s', 1000],
    ['10m', 600_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['366d', 31_622_400_000],
  ])('may be %s', (text, ms) => {
    expect(duration.parse(text)).toBe(text);
    expect(durationMs(text)).toBe(ms);
    expect(text).toMatch(patternOf(duration));
  });

  it.each(['0s', '5', '1.5h', '-1m', '1w', '5 m', '367d', `${'9'.repeat(400)}d`])('is not `%s`', (text) => {
    expect(valueProblems(duration, text)).toMatchObject([
      { code: 'wrong-duration', allowed: expect.stringContaining('30s, 10m or 1d') },
    ]);
  });
});

it('a number without a unit is no duration, and quotes are no fix', () => {
  expect(valueProblems(duration, 90)).toEqual([
    { code: 'wrong-type', found: expect.stringContaining('90'), allowed: expect.stringContaining('30s'), path: [] },
  ]);
});

/** What an editor checks by must not refuse what the tool takes. */
function patternOf(schema: z.ZodType): RegExp {
  return new RegExp(String(schema.meta()?.pattern));
}
