/** The edges of the catch-up window: one millisecond decides whether a tick fires, is skipped, or is not due. */
import { expect, it } from 'vitest';
import { type CatchUp, dueTicks, graceMs } from '../../src/triggers/ledger/dueTicks.ts';

const noon = Date.UTC(2026, 2, 1, 12);
const hour = 3_600_000;
const hourly = { cron: '0 * * * *', timeZone: 'UTC' };
const one = noon + hour;

it.each<[what: string, now: number, catchUp: CatchUp, fire: number[], skip: number[]]>([
  ['one millisecond before the tick, nothing is due', one - 1, 'skip', [], []],
  ['at the tick, it fires', one, 'skip', [one], []],
  ['at the end of the grace period, it still fires', one + graceMs, 'skip', [one], []],
  ['one millisecond later, it is skipped', one + graceMs + 1, 'skip', [], [one]],
  [
    'at the end of a window, it still fires',
    one + 2 * hour,
    { withinMs: 2 * hour },
    [one, one + hour, one + 2 * hour],
    [],
  ],
  ['after a window, it is skipped', one + 2 * hour + 1, { withinMs: 2 * hour }, [one + hour, one + 2 * hour], [one]],
  ['a window that is shorter than the grace period has no effect', one + graceMs, { withinMs: 1000 }, [one], []],
  ['latest: a single missed tick fires', one + 30 * 60_000, 'latest', [one], []],
  ['latest: nothing fires if nothing was missed', one - 1, 'latest', [], []],
])('%s', (_, now, catchUp, fire, skip) => {
  const due = dueTicks(hourly, noon, now, catchUp);
  expect({ fire: due.fire, skip: due.skip.map(({ at }) => at) }).toEqual({ fire, skip });
});

it('keeps the cursor if the clock was moved back', () => {
  expect(dueTicks(hourly, one, noon, 'latest')).toEqual({ fire: [], skip: [], cursor: one });
});

it('skips a hundred missed ticks one by one, and names the end of the rest', () => {
  const everyMinute = { everyMs: 60_000 };
  const exactly = dueTicks(everyMinute, noon, noon + 101 * 60_000 + 1, 'skip');
  expect(exactly.skip).toHaveLength(100);
  expect(exactly.skip.at(-1)?.reason).toBe('missed: no server checked this schedule in time');
  const more = dueTicks(everyMinute, noon, noon + 102 * 60_000 + 1, 'skip');
  expect(more.skip).toHaveLength(101);
  expect(more.skip.at(-1)?.reason).toMatch(/further ticks were missed until/);
});
