import { expect, it } from 'vitest';
import { propertyDiffs } from '../../providers/core/propertyDiff.ts';
import { unknownPaths, unknownValue } from '../../providers/core/unknown.ts';

it('names each difference by its path', () => {
  const before = { zones: { checkout: { ips: ['192.0.2.10', '192.0.2.11'], count: 2 } }, spare: 'parked' };
  const after = {
    zones: { checkout: { ips: ['192.0.2.10', '192.0.2.12', '192.0.2.13'] } },
    spare: 'parked',
    maxMoves: 2,
  };
  expect(propertyDiffs(before, after)).toEqual([
    { path: ['zones', 'checkout', 'ips', 1], kind: 'update', isReplacing: false },
    { path: ['zones', 'checkout', 'ips', 2], kind: 'add', isReplacing: false },
    { path: ['zones', 'checkout', 'count'], kind: 'delete', isReplacing: false },
    { path: ['maxMoves'], kind: 'add', isReplacing: false },
  ]);
});

it('marks the differences that require another resource', () => {
  const diffs = propertyDiffs({ name: 'one', cron: '0 3 * * *' }, { name: 'two', cron: '0 4 * * *' }, ['name']);
  expect(diffs.map(({ path, isReplacing }) => [path[0], isReplacing])).toEqual([
    ['name', true],
    ['cron', false],
  ]);
});

it('compares a list with a map as one value', () => {
  expect(propertyDiffs({ inputs: [] }, { inputs: { file: 'a.csv' } })).toMatchObject([
    { path: ['inputs'], kind: 'update' },
  ]);
});

it('shows a value that becomes unknown as an update, and names where it is', () => {
  const after = { zone: 'checkout', whitelistIps: [unknownValue] };
  expect(propertyDiffs({ zone: 'checkout', whitelistIps: ['10.0.0.1'] }, after)).toMatchObject([
    { path: ['whitelistIps', 0], kind: 'update' },
  ]);
  expect(unknownPaths(after)).toEqual([['whitelistIps', 0]]);
});
