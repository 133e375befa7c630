/** Listings that are older than a move that they should show. */
import { expect, it, vi } from 'vitest';
import { AddressMap } from '../../../src/kinds/seam/addressMap.ts';
import { RecentMoves } from '../../../src/kinds/seam/recentMoves.ts';

const ip = '192.0.2.1';
const listings = (zones: Record<string, string[]>) =>
  new Map(Object.entries(zones).map(([zone, ips]) => [zone, AddressMap.of(ips.map((each) => [each, {}]))]));

function moved(...steps: [from: string, to: string, until: number][]): RecentMoves {
  const moves = new RecentMoves();
  for (const [from, to, until] of steps) moves.add({ from, to }, [ip], until);
  return moves;
}

it.each<[string, Record<string, string[]>, number | undefined]>([
  ['shows the IP where it went', { a: [], b: [ip] }, undefined],
  ['shows the IP where it was', { a: [ip], b: [] }, 100],
  ['shows it in both', { a: [ip], b: [ip] }, 100],
  ['shows it nowhere', { a: [], b: [] }, 100],
  ['shows it nowhere, and was not read for the zone that it went to', { a: [] }, undefined],
  ['shows it in a zone where it never was: another user moved it', { a: [], b: [], c: [ip] }, undefined],
])('a listing that %s', (_, zones, until) => {
  expect(moved(['a', 'b', 100]).contradictedUntil(listings(zones), 50)).toBe(until);
});

it('is believed when the time is over', () => {
  const old = listings({ a: [ip], b: [] });
  expect(moved(['a', 'b', 100]).contradictedUntil(old, 99)).toBe(100);
  expect(moved(['a', 'b', 100]).contradictedUntil(old, 100)).toBeUndefined();
});

it('may show any zone that the IP has left on its way, but not the one that it returned to', () => {
  const further = moved(['a', 'b', 100], ['b', 'c', 200]);
  expect(further.contradictedUntil(listings({ a: [ip], b: [], c: [] }), 50)).toBe(200);
  expect(further.contradictedUntil(listings({ a: [], b: [ip], c: [] }), 50)).toBe(200);
  const back = moved(['a', 'b', 100], ['b', 'a', 200]);
  expect(back.contradictedUntil(listings({ a: [ip], b: [] }), 50)).toBeUndefined();
  expect(back.contradictedUntil(listings({ a: [], b: [ip] }), 50)).toBe(200);
});

it('is read again until the latest of the moves that it contradicts', () => {
  const moves = new RecentMoves();
  moves.add({ from: 'a', to: 'b' }, ['192.0.2.2'], 300);
  moves.add({ from: 'a', to: 'b' }, ['192.0.2.3'], 200);
  moves.add({ from: 'a', to: 'b' }, ['192.0.2.4'], 400);
  const old = listings({ a: ['192.0.2.2', '192.0.2.3'], b: ['192.0.2.4'] });
  expect(moves.contradictedUntil(old, 50)).toBe(300);
  moves.forget(['192.0.2.2']);
  expect(moves.contradictedUntil(old, 50)).toBe(200);
  moves.forget(['192.0.2.3']);
  expect(moves.contradictedUntil(old, 50)).toBeUndefined();
});

it('is compared with many moves in many zones by a few look-ups for each move', () => {
  const zones = Array.from({ length: 200 }, (_, at) => ({ zone: `zone-${at}`, ip: `10.0.0.${at}` }));
  const moves = new RecentMoves();
  for (const { zone, ip } of zones) moves.add({ from: 'spare', to: zone }, [ip], 100);
  const elsewhere = zones.map(({ ip }) => ip);
  const movedOn = listings({ spare: [], elsewhere, ...Object.fromEntries(zones.map(({ zone }) => [zone, []])) });
  const lookUps = vi.spyOn(AddressMap.prototype, 'has');
  expect(moves.contradictedUntil(movedOn, 50)).toBeUndefined();
  expect(lookUps.mock.calls.length).toBeLessThanOrEqual(3 * zones.length);
  lookUps.mockRestore();
});
