import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalEntry, covers, wrongIpv4 } from '../../src/kinds/addresses.ts';

/** Without IPv4 in it: such an address is one of IPv4, whoever writes it. */
const ipV6 = fc
  .array(fc.nat(0xffff), { minLength: 8, maxLength: 8 })
  .filter((groups) => groups.slice(0, 5).some((group) => group > 0))
  .map((groups) => groups.map((group) => group.toString(16)).join(':'));

describe('one spelling for what means the same', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    [' 10.0.0.1 ', '10.0.0.1'],
    ['10.0.0.1/32', '10.0.0.1'],
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['10.1.2.3/0', '0.0.0.0/0'],
    ['192.0.2.255/25', '192.0.2.128/25'],
    ['2001:0DB8:0:0::1', '2001:db8::1'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
    ['::/0', '::/0'],
  ])('%s is %s', (written, spelling) => {
    expect(canonicalEntry(written)).toBe(spelling);
  });

  it.each([
    '',
    '10.0.0',
    '10.0.0.256',
    '10.0.0.01',
    '0x0a000001',
    '10.0.0.1/33',
    '10.0.0.1/',
    '10.0.0.1/8/8',
    '10.0.0.1/-1',
    '2001:db8::/129',
    'localhost',
    '*',
  ])('%j is neither address nor network', (text) => {
    expect(canonicalEntry(text)).toBeUndefined();
    expect(covers([text], '10.0.0.1')).toBe(false);
  });

  it('is its own spelling, and lets the same addresses in', () => {
    const entry = fc
      .oneof(fc.tuple(fc.ipV4(), fc.nat(32)), fc.tuple(ipV6, fc.nat(128)))
      .map((parts) => parts.join('/'));
    fc.assert(
      fc.property(entry, fc.oneof(fc.ipV4(), ipV6), (written, caller) => {
        const spelling = canonicalEntry(written) ?? '';
        expect(canonicalEntry(spelling)).toBe(spelling);
        expect(covers([spelling], caller)).toBe(covers([written], caller));
        expect(covers([spelling], written.split('/')[0] ?? '')).toBe(true);
      }),
    );
  });
});

describe('who is let in', () => {
  it.each([
    ['10.0.0.5', ['10.0.0.0/8'], true],
    ['10.0.0.5', ['10.0.0.5'], true],
    ['::ffff:10.0.0.5', ['10.0.0.0/8'], true],
    ['11.0.0.5', ['10.0.0.0/8', 'localhost'], false],
    ['::1', ['127.0.0.1', '0.0.0.0/0'], false],
    ['::1', ['::/0'], true],
    ['nobody', ['0.0.0.0/0'], false],
    ['10.0.0.5', [], false],
  ])('%s by %j: %s', (caller, list, isIn) => {
    expect(covers(list, caller)).toBe(isIn);
  });
});

it.each([
  ['192.0.2.10', undefined],
  ['192.0.2.0/24', 'a network, not an address'],
  ['2001:db8::/32', 'a network, not an address'],
  ['2001:db8::1', 'an IPv6 address'],
  ['192.0.2', 'not an address'],
  ['192.0.2.010', 'not an address'],
  ['3221225994', 'not an address'],
])('of %s as the address of a zone: %s', (text, wrong) => {
  expect(wrongIpv4(text)).toBe(wrong);
});
