import type { ZoneIpAllocationSpec } from './spec.ts';

type Zone = ZoneIpAllocationSpec['zones'][string];

/** Returns a count with the live numbers, of the same countries. */
export function liveCount(
  count: NonNullable<Zone['count']>,
  listing: ReadonlyMap<string, { country: string }>,
): NonNullable<Zone['count']> {
  if (typeof count === 'number') return listing.size;
  const live = Map.groupBy(listing.values(), ({ country }) => country);
  return Object.fromEntries(
    Object.keys(count).map((country) => [country, live.get(country.toLowerCase())?.length ?? 0]),
  );
}
