/** Allocations of one account that cannot all be reached. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allocationConflicts, areIndependent } from '../../../src/kinds/zoneIpAllocation/conflicts.ts';
import { allocationSpec } from '../../../src/kinds/zoneIpAllocation/spec.ts';

function conflicts(specs: Record<string, object>) {
  const parsed = Object.entries(specs).map(([name, spec]) => [name, allocationSpec.parse(spec)] as const);
  return allocationConflicts(new Map(parsed)).map(({ code, path, found, also }) => [
    code,
    path?.join('.'),
    found,
    also?.map((other) => other.path?.join('.')).join(),
  ]);
}

const [first, second] = ['192.0.2.1', '192.0.2.2'];

describe('two allocations', () => {
  it('may share a spare and sources', () => {
    const donors = { sources: ['old'], spare: 'parked' };
    const specs = {
      main: { zones: { a: { ips: [first] } }, ...donors },
      more: { zones: { b: { count: 1 } }, ...donors },
    };
    expect(conflicts(specs)).toEqual([]);
  });

  it('may not fill one zone', () => {
    const specs = {
      main: { zones: { a: { count: 1 } } },
      more: { zones: { b: { count: 1 }, a: { count: 2 } } },
      most: { zones: { a: { count: 3 } } },
    };
    expect(conflicts(specs)).toEqual([
      ['zone-in-two-allocations', 'more.zones.a', 'a is filled by two allocations', 'main.zones.a'],
      ['zone-in-two-allocations', 'most.zones.a', 'a is filled by two allocations', 'main.zones.a'],
    ]);
  });

  it('may not take from a zone that the other one fills', () => {
    const specs = {
      main: { zones: { a: { count: 1 } }, sources: ['c', 'b'] },
      more: { zones: { b: { count: 1 } }, spare: 'a' },
    };
    expect(conflicts(specs)).toEqual([
      ['zone-also-filled', 'main.sources.1', 'b is filled by another allocation', 'more.zones.b'],
      ['zone-also-filled', 'more.spare', 'a is filled by another allocation', 'main.zones.a'],
    ]);
  });
});

it('two allocations are independent exactly if they have no conflicts with each other', () => {
  const zone = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const ip = fc.integer({ min: 1, max: 40 }).map((last) => `192.0.2.${last}`);
  const filled = fc.record({ ips: fc.uniqueArray(ip, { maxLength: 4 }), keepAtLeast: fc.constant(0) });
  const spec = fc
    .record({
      zones: fc.dictionary(zone, filled, { minKeys: 1, maxKeys: 2 }),
      sources: fc.uniqueArray(zone, { maxLength: 2 }),
      spare: fc.option(zone, { nil: undefined }),
    })
    .map((given) => allocationSpec.safeParse(given).data)
    .filter((parsed) => parsed !== undefined);
  fc.assert(
    fc.property(spec, spec, (one, other) => {
      const own = [one, other].map((each) => allocationConflicts(new Map([['own', each]])).length);
      fc.pre(own.every((count) => count === 0));
      const both = allocationConflicts(
        new Map([
          ['one', one],
          ['other', other],
        ]),
      );
      expect(areIndependent(one, other)).toBe(both.length === 0);
    }),
  );
});

it('one allocation may not declare an IP twice', () => {
  expect(conflicts({ main: { zones: { a: { ips: [first] }, b: { ips: [second, first, first] } } } })).toEqual([
    ['ip-declared-twice', 'main.zones.b.ips.1', `${first} is declared twice`, 'main.zones.a.ips.0'],
    ['ip-declared-twice', 'main.zones.b.ips.2', `${first} is declared twice`, 'main.zones.a.ips.0'],
  ]);
});

it('IPs that two lists have in the same order are one problem', () => {
  const ips = Array.from({ length: 250 }, (_, index) => `192.0.2.${index}`);
  expect(conflicts({ main: { zones: { a: { ips }, b: { ips: ['198.51.100.1', ...ips.slice(100)] } } } })).toEqual([
    [
      'ip-declared-twice',
      'main.zones.b.ips.1',
      '192.0.2.100 and 149 IPs after it are declared twice',
      'main.zones.a.ips.100',
    ],
  ]);
});
