/** The order of addresses: by number, whatever their spelling. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addressNumber, sortedByIp, sortedIps } from '../../src/kinds/seam/ipOrder.ts';

const part = fc.integer({ min: 0, max: 255 });
const parts = fc.tuple(part, part, part, part);

it('an address is the number of its four parts', () => {
  fc.assert(
    fc.property(parts, ([a, b, c, d]) => {
      expect(addressNumber(`${a}.${b}.${c}.${d}`)).toBe(((a * 256 + b) * 256 + c) * 256 + d);
    }),
  );
});

it('sorts like the numbers do, and keeps other texts at the end in their order', () => {
  const name = fc.constantFrom('b', 'a', 'c', 'z');
  const ip = parts.map((each) => each.join('.'));
  fc.assert(
    fc.property(fc.array(fc.oneof(ip, name)), (texts) => {
      const sorted = sortedIps(texts);
      const ips = texts.filter((text) => text.includes('.'));
      expect(sorted.slice(0, ips.length)).toEqual(
        ips.toSorted((a, b) => (addressNumber(a) ?? 0) - (addressNumber(b) ?? 0)),
      );
      expect(sorted.slice(ips.length)).toEqual(texts.filter((text) => !text.includes('.')));
    }),
  );
});

it('sorts items by their addresses, equal ones in their order', () => {
  const items = [
    { ip: '10.0.0.2', name: 'a' },
    { ip: '9.0.0.10', name: 'b' },
    { ip: '10.0.0.2', name: 'c' },
    { ip: '9.0.0.9', name: 'd' },
  ];
  expect(sortedByIp(items, ({ ip }) => ip).map(({ name }) => name)).toEqual(['d', 'b', 'a', 'c']);
});
