/** The numbers of IPs in the zones of a simulation, which follow the IPs of each call. */
import { expect, it } from 'vitest';
import { ZoneCounts } from '../../../src/features/simulate/zoneCounts.ts';
import { AddressMap } from '../../../src/kinds/addressMap.ts';
import type { Move } from '../../../src/kinds/move.ts';

const place = { country: 'us', geolocation: {} };
const [first, second, third] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'] as const;

function setting() {
  const zoneOf = new Map<string, string>([
    [first, 'a'],
    [second, 'a'],
    [third, 'b'],
  ]);
  const listings = new Map([
    ['a', AddressMap.of([first, second].map((ip) => [ip, place]))],
    ['b', AddressMap.of([[third, { country: 'de', geolocation: {} }]])],
  ]);
  const counts = new ZoneCounts(listings, (ip) => zoneOf.get(ip));
  const call = (from: string, to: string, ...ips: string[]) => {
    const moves = ips.map((ip): Move => ({ ip, country: ip === third ? 'de' : 'us', from, to, reason: 'declared' }));
    return counts.before({ type: 'migrate', from, to, moves } as { type: string });
  };
  return { zoneOf, call };
}

it('change by the IPs of a call that have moved, and by no others', () => {
  const { zoneOf, call } = setting();
  const after = call('a', 'b', first, second);
  zoneOf.set(first, 'b');
  expect(after()).toEqual([
    {
      zone: 'b',
      countries: [
        { country: 'de', before: 1, after: 1 },
        { country: 'us', before: 0, after: 1 },
      ],
    },
    { zone: 'a', countries: [{ country: 'us', before: 2, after: 1 }] },
  ]);
  expect(call('a', 'b', second)()).toEqual([
    {
      zone: 'b',
      countries: [
        { country: 'de', before: 1, after: 1 },
        { country: 'us', before: 1, after: 1 },
      ],
    },
    { zone: 'a', countries: [{ country: 'us', before: 1, after: 1 }] },
  ]);
});

it('leave out a country whose last IP has left before', () => {
  const { zoneOf, call } = setting();
  const leaving = call('b', 'a', third);
  zoneOf.set(third, 'a');
  expect(leaving()).toContainEqual({ zone: 'b', countries: [{ country: 'de', before: 1, after: 0 }] });
  expect(call('a', 'b', first)()).toContainEqual({ zone: 'b', countries: [] });
});

it('have no countries for a zone that was not copied', () => {
  const { zoneOf, call } = setting();
  const after = call('a', 'elsewhere', first);
  zoneOf.set(first, 'elsewhere');
  expect(after()).toEqual([
    { zone: 'elsewhere', countries: [] },
    { zone: 'a', countries: [{ country: 'us', before: 2, after: 1 }] },
  ]);
});
