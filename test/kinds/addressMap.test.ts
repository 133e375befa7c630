import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AddressMap } from '../../src/kinds/seam/addressMap.ts';
import { addressNumber, sortedIps } from '../../src/kinds/seam/ipOrder.ts';

const address = fc.oneof(
  fc.ipV4(),
  fc.integer({ min: 0, max: 9 }).map((last) => `192.0.2.${last}`),
);
const pairs = fc.array(fc.tuple(address, fc.constantFrom('us', 'de', 'gb')));

describe('AddressMap', () => {
  it('is a Map in the order of the addresses', () => {
    fc.assert(
      fc.property(pairs, fc.ipV4(), (given, other) => {
        const map = new Map(given);
        const table = AddressMap.of(map);
        expect([...table]).toEqual(sortedIps(map.keys()).map((ip) => [ip, map.get(ip)]));
        expect([...table.keys()]).toEqual(sortedIps(map.keys()));
        expect([...table.values()]).toEqual(sortedIps(map.keys()).map((ip) => map.get(ip)));
        expect(table.size).toBe(map.size);
        const each: [string, string][] = [];
        table.forEach((value, ip) => {
          each.push([ip, value]);
        });
        expect(each).toEqual([...table]);
        expect(table.repeated.size).toBe(0);
        for (const ip of [...map.keys(), other]) {
          expect(table.get(ip)).toBe(map.get(ip));
          expect(table.has(ip)).toBe(map.has(ip));
        }
        expect(JSON.stringify(table)).toBe(JSON.stringify([...table]));
      }),
    );
  });

  it('reports the addresses that were given more than once, with their values in the order in which these came first', () => {
    const given: [string, string][] = [
      ['192.0.2.2', 'shop'],
      ['192.0.2.9', 'shop'],
      ['192.0.2.1', 'blog'],
      ['192.0.2.2', 'blog'],
      ['192.0.2.9', 'shop'],
    ];
    const table = AddressMap.of(given);
    expect([...table]).toEqual([
      ['192.0.2.1', 'blog'],
      ['192.0.2.2', 'shop'],
      ['192.0.2.9', 'shop'],
    ]);
    const repeated = new Map([
      ['192.0.2.2', ['shop', 'blog']],
      ['192.0.2.9', ['shop']],
    ]);
    expect(table.repeated).toEqual(repeated);
    expect(table.map((zone) => zone.length).repeated.get('192.0.2.2')).toEqual([4, 4]);
  });

  it('finds the addresses that another table does not have, and counts values', () => {
    fc.assert(
      fc.property(pairs, pairs, (given, others) => {
        const [map, other] = [new Map(given), new Map(others)];
        const table = AddressMap.of(map);
        const outside = sortedIps(map.keys()).filter((ip) => !other.has(ip));
        expect(table.addressesOutside(AddressMap.of(other))).toEqual(outside);
        expect(table.overlaps(AddressMap.of(other))).toBe(outside.length < map.size);
        const counts = Map.groupBy(map.values(), (value) => value);
        expect(table.counts()).toEqual(new Map([...counts].map(([value, its]) => [value, its.length])));
      }),
    );
  });

  it('joins tables, each address with the value of its table', () => {
    fc.assert(
      fc.property(fc.array(pairs), (tables) => {
        const parts = tables.map((given, index) => [`zone-${index}`, AddressMap.of(new Map(given))] as const);
        const spelledOut = parts.flatMap(([zone, table]) => [...table.keys()].map((ip) => [ip, zone] as const));
        const [joined, expected] = [AddressMap.joined(parts), AddressMap.of(spelledOut)];
        expect([...joined]).toEqual([...expected]);
        expect(joined.repeated).toEqual(expected.repeated);
      }),
    );
  });

  it('holds the first and the last address', () => {
    const table = AddressMap.of([
      ['255.255.255.255', 1],
      ['0.0.0.0', 2],
    ]);
    expect([...table]).toEqual([
      ['0.0.0.0', 2],
      ['255.255.255.255', 1],
    ]);
    expect(table.map((value) => value * 2).get('255.255.255.255')).toBe(2);
  });

  it.each([
    '',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '01.2.3.4',
    '1..2.3',
    '1.2.3.',
    '::1',
    ' 1.2.3.4',
    '1.2.3.4/32',
    '1.2.3.:',
    '1,2,3,4',
    '256.1.1.1',
  ])('has no entry for %j', (text) => {
    expect(addressNumber(text)).toBeUndefined();
    expect(AddressMap.of([['1.2.3.4', 'us']]).has(text)).toBe(false);
    expect(() => AddressMap.of([[text, 'us']])).toThrow(RangeError);
  });
});
