import { describe, expect, it } from 'vitest';
import { atLeast, atMost, compared, pairs, timesFaster } from '../../bench/frame/pairs.ts';
import { tableMarkdown, tableText } from '../../bench/frame/table.ts';

describe('pairs of measurements', () => {
  it('alternate which side goes first, and ignore the warm-up', async () => {
    const order: string[] = [];
    const times = { ours: [100, 30, 20, 60], floor: [1, 10, 10, 10] };
    const measure = (side: 'ours' | 'floor') => async () => {
      order.push(side);
      return times[side].shift() ?? 0;
    };
    const measured = await pairs(measure('ours'), measure('floor'), { count: 3, warmUps: 1 });
    expect(order).toEqual(['ours', 'floor', 'floor', 'ours', 'ours', 'floor', 'floor', 'ours']);
    expect(measured).toEqual({ ours: 30, floor: 10, ratio: { median: 3, min: 2, max: 6 }, count: 3 });
  });

  it.each([
    [atMost(3), true, 3],
    [atMost(2.9), false, 3],
    [atLeast(3), true, 3],
    [timesFaster(0.4), false, 1 / 3],
  ])('reach what they must or do not', (goal, reached, median) => {
    const row = compared('a', { ours: 30, floor: 10, ratio: { median: 3, min: 2, max: 6 }, count: 5 }, goal, String);
    expect(row).toMatchObject({ reached, ratio: { median } });
  });
});

describe('the table', () => {
  const rows = [
    { what: 'a', ours: '1 s', floor: '2 s', ratio: { median: 0.5, min: 0.4, max: 0.6 }, must: '≤ 1 ×', reached: true },
    { what: 'b', ours: '', floor: 'peer: absent', must: '≥ 10 ×', reached: 'absent', note: 'get it' },
  ] as const;

  it('has a line for each row with the ratio, and the notes below', () => {
    expect(tableText(rows).split('\n').slice(2)).toEqual([
      'a      1 s   2 s            0.50 (0.40–0.60)  ≤ 1 ×       yes',
      'b (1)        peer: absent                     ≥ 10 ×      absent',
      '',
      '(1) get it',
    ]);
  });

  it('can be written as Markdown', () => {
    expect(tableMarkdown(rows)).toContain('| b (1) |  | peer: absent |  | ≥ 10 × | absent |\n\n(1) get it');
  });
});
