import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { valueProblems } from '../../src/base/diagnostics/zodProblems.ts';
import {
  admission,
  allowedEntry,
  canonicalEntry,
  covers,
  isInternal,
  rangeAddresses,
  wrongIpv4,
} from '../../src/kinds/seam/addresses.ts';
import { entryLists } from '../../src/kinds/seam/shortLists.ts';

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
    '10.0.0.0/08',
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

describe('a range or a network of a declaration', () => {
  it.each([
    ['192.0.2.254-192.0.3.1', ['192.0.2.254', '192.0.2.255', '192.0.3.0', '192.0.3.1']],
    ['192.0.2.1 - 192.0.2.2', ['192.0.2.1', '192.0.2.2']],
    ['192.0.2.7-192.0.2.7', ['192.0.2.7']],
    ['192.0.2.4/30', ['192.0.2.4', '192.0.2.5', '192.0.2.6', '192.0.2.7']],
    ['192.0.2.9/32', ['192.0.2.9']],
  ])('%s stands for %j', (text, addresses) => {
    expect(rangeAddresses(text)).toEqual(addresses);
  });

  it.each([
    '192.0.2.1',
    'checkout',
    'check-out',
    '192.0.2.1-',
    '-192.0.2.1',
    '192.0.2.1-shop',
    'shop-192.0.2.1',
    '2001:db8::/126',
    '192.0.2.0/33',
    '2001:db8::1-2001:db8::2',
  ])('%s is none', (text) => {
    expect(rangeAddresses(text)).toBeUndefined();
  });

  it.each([
    ['192.0.2.9-192.0.2.1', 'ends before it begins', '192.0.2.1-192.0.2.9'],
    ['192.0.2.5/30', 'is an address within a network', 'the network, 192.0.2.4/30, or the address alone'],
    ['10.0.0.0/15', 'has 131072 addresses', 'at most 65536 addresses in one range or network'],
    ['10.0.0.0-10.1.0.0', 'has 65537 addresses', 'at most 65536 addresses in one range or network'],
  ])('%s is refused: it %s', (text, why, allowed) => {
    expect(rangeAddresses(text)).toEqual({ code: 'wrong-range', found: `${text} ${why}`, allowed });
  });

  it('may have 65,536 addresses', () => {
    const all = rangeAddresses('10.0.0.0/16') as string[];
    expect([all.length, all[0], all.at(-1)]).toEqual([65_536, '10.0.0.0', '10.0.255.255']);
  });
});

describe('an allow list', () => {
  it('has addresses and networks, and nothing else', () => {
    expect(allowedEntry.safeParse('10.0.0.0/8').success).toBe(true);
    expect(valueProblems(allowedEntry, 'localhost')).toMatchObject([
      {
        code: 'not-an-address',
        found: 'localhost, neither an address nor a network',
        allowed: 'an address such as 10.0.0.5, or a network such as 10.0.0.0/8',
      },
    ]);
  });

  it('may come from a file, whose items are not ranges', () => {
    const lists = entryLists([['whitelistIps']]);
    expect(lists).toMatchObject({ paths: [['whitelistIps']] });
    expect(lists.expand('192.0.2.1-192.0.2.9')).toBeUndefined();
  });

  it('admits an address by each entry that has it, as the entry is written', () => {
    const entries = admission(['10.1.2.3/8', 'localhost', '10.0.0.5/32', '10.0.0.5', '2001:db8::/32']);
    expect(entries('10.0.0.5')).toEqual(['10.0.0.5/32', '10.0.0.5', '10.1.2.3/8']);
    expect(entries('2001:DB8::7')).toEqual(['2001:db8::/32']);
    expect(entries('192.0.2.1')).toEqual([]);
  });

  it.each([
    ['10.1.2.3', true],
    ['172.16.0.0/12', true],
    ['192.168.7.7/16', true],
    ['127.0.0.1', true],
    ['169.254.1.1', true],
    ['100.64.0.1', true],
    ['fd00::/8', true],
    ['fe80::1', true],
    ['::1', true],
    ['192.0.2.1', false],
    ['8.8.8.8', false],
    ['0.0.0.0/0', false],
    ['::/0', false],
    ['localhost', false],
  ])('has an entry %s that only an internal network can use: %s', (entry, expected) => {
    expect(isInternal(entry)).toBe(expected);
  });
});
