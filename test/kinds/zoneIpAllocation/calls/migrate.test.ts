/** The totals of moves, for the last line of plans and runs. */
import { expect, it } from 'vitest';
import { migrate as migrateType } from '../../../../src/kinds/zoneIpAllocation/calls/migrate.ts';
import { migrateWords } from '../../../../src/kinds/zoneIpAllocation/calls/migrateWords.ts';
import { migrate } from '../../../report/samples.ts';

const [first, second] = ['192.0.2.1', '192.0.2.2'];
const [ips, calls] = migrateWords.totals;

it('count IPs once, and show moves if an IP moves twice', () => {
  const once = [migrate('pricing', 'checkout', [first, second])];
  const twice = [migrate('pricing', 'parked', [first, second]), migrate('parked', 'checkout', [second])];
  expect([ips?.count(once), calls?.count(once), ips?.detail?.(once, 2)]).toEqual([2, 1, undefined]);
  expect([ips?.count(twice), calls?.count(twice), ips?.detail?.(twice, 2)]).toEqual([2, 2, '3 moves in all']);
});

it.each([
  ['plan', '1 IP moves in 1 call', '2 IPs move in 2 calls'],
  ['drift', '1 IP is not where it is declared', '2 IPs are not where they are declared'],
  ['destroy', '1 IP is released in 1 call', '2 IPs are released in 2 calls'],
  ['undo', '1 IP moves back in 1 call', '2 IPs move back in 2 calls'],
] as const)('are worded for %s', (mode, one, two) => {
  expect(ips?.words?.planned(1, 1, mode)).toBe(one);
  expect(ips?.words?.planned(2, 2, mode)).toBe(two);
  expect(ips?.words?.done(2, 1)).toBe('2 IPs moved in 1 call');
});

it('are undone by moving the IPs back, and compared without their order', () => {
  const call = migrate('pricing', 'checkout', [first, second], 'surplus');
  expect(migrateType.invert(call)).toEqual({ calls: [migrate('checkout', 'pricing', [first, second])], notes: [] });
  expect(migrateType.key(call)).toBe(migrateType.key(migrate('pricing', 'checkout', [second, first])));
  expect(migrateType.key(call)).not.toBe(migrateType.key(migrate('checkout', 'pricing', [first, second])));
});
