/** The IPs of a zone, counted by country and state. */
import { describe, expect, it } from 'vitest';
import { groupIps, sumOf } from '../../../src/features/show/zoneGroups.ts';
import type { ZoneClaim, ZoneClaims } from '../../../src/kinds/zoneClaims.ts';

const ips = [
  { ip: '192.0.2.10', country: 'us' },
  { ip: '192.0.2.9', country: 'us' },
  { ip: '198.51.100.1', country: 'de' },
  { ip: '203.0.113.1', country: '' },
];

/** Everything in `us` is declared, the rest is unmanaged; one IP is protected. */
function claimsWith(claim?: ZoneClaim): ZoneClaims {
  return {
    zones: new Map(claim === undefined ? [] : [['checkout', claim]]),
    isProtected: (ip) => ip === '192.0.2.9',
    classifier: () => (_ip, country) => (claim === undefined ? undefined : country === 'us' ? 'declared' : 'unmanaged'),
  };
}

describe('groupIps', () => {
  it('counts by country, the largest first, and keeps no address', () => {
    expect(groupIps('checkout', ips, claimsWith({ role: 'declared', listed: 3 }))).toEqual({
      ips: 4,
      protected: 1,
      states: { declared: 2, unmanaged: 2 },
      wanted: 3,
      countries: [
        { country: 'us', ips: 2, protected: 1, states: { declared: 2 } },
        { country: '', ips: 1, protected: 0, states: { unmanaged: 1 } },
        { country: 'de', ips: 1, protected: 0, states: { unmanaged: 1 } },
      ],
    });
  });

  it('lists addresses in their order if they are to be shown', () => {
    const { countries } = groupIps('checkout', ips, claimsWith(), { isListed: true });
    expect(countries.map(({ addresses }) => addresses)).toEqual([
      ['192.0.2.9', '192.0.2.10'],
      ['203.0.113.1'],
      ['198.51.100.1'],
    ]);
  });

  it('includes countries that are counted and have no IP', () => {
    const count = new Map([
      ['us', 1],
      ['jp', 2],
    ]);
    const group = groupIps('checkout', ips, claimsWith({ role: 'declared', listed: 0, count }));
    expect(group).not.toHaveProperty('wanted');
    expect(group.countries.filter(({ wanted }) => wanted !== undefined)).toMatchObject([
      { country: 'us', ips: 2, wanted: 1 },
      { country: 'jp', ips: 0, wanted: 2 },
    ]);
  });

  it('counts only some countries, or only unmanaged IPs, and then wants no number of the zone', () => {
    const claims = claimsWith({ role: 'declared', listed: 0, count: 9 });
    expect(groupIps('checkout', ips, claims)).toMatchObject({ ips: 4, wanted: 9 });
    const chosen = groupIps('checkout', ips, claims, { countries: new Set(['de', '']) });
    expect(chosen.countries.map(({ country }) => country)).toEqual(['', 'de']);
    expect(chosen).not.toHaveProperty('wanted');
    const unmanaged = groupIps('checkout', ips, claims, { unmanagedOnly: true });
    expect(unmanaged).toMatchObject({ ips: 2, states: { unmanaged: 2 } });
    expect(unmanaged).not.toHaveProperty('wanted');
  });

  it('sums groups', () => {
    const group = { ips: 2, protected: 1, states: { spare: 2 }, wanted: 5 };
    expect(sumOf([group, group])).toEqual({ ips: 4, protected: 2, states: { spare: 4 } });
    expect(sumOf([])).toEqual({ ips: 0, protected: 0, states: {} });
  });
});
