/** An allocation that leaves a part of its zones as they are live. */

import type { Listings } from '../../../src/kinds/seam/accountView.ts';
import type { Properties } from '../../../src/kinds/seam/kind.ts';
import { liveCount } from '../../../src/kinds/zoneIpAllocation/liveCount.ts';
import type { ZoneIpAllocationSpec } from '../../../src/kinds/zoneIpAllocation/spec.ts';
import type { AllocationState } from '../../../src/kinds/zoneIpAllocation/state.ts';
import type { PropertyPath } from './storedResource.ts';

type Zone = ZoneIpAllocationSpec['zones'][string];
type Count = NonNullable<Zone['count']>;
type Countries = ReadonlyMap<string, { country: string }>;

/**
 * A zone in which nothing is to be corrected is left alone. In others, listed IPs that are elsewhere are not fetched, and counts are dropped.
 * Where unmanaged IPs are released, they would be moved out without a count, so it becomes the number of IPs that the zone will have.
 */
export function keepLiveZones(
  inputs: Properties,
  isIgnored: (path: PropertyPath) => boolean,
  { listings, neighbours }: AllocationState,
): Properties {
  const zones = inputs.zones as Readonly<Record<string, Zone>>;
  const homes = new Map(Object.entries(zones).flatMap(([name, { ips = [] }]) => ips.map((ip) => [ip, name] as const)));
  const alone = new Set(inputs.ignoreChanges as string[] | undefined);
  const kept = Object.entries(zones).map(([name, zone]) => {
    const isKept = (...path: PropertyPath) => isIgnored(['zones', name, ...path]);
    if (isKept() || (['ips', 'count'] as const).every((field) => zone[field] === undefined || isKept(field))) {
      alone.add(`zones.${name}`);
      return [name, zone];
    }
    const listing = listings.get(name) ?? new Map();
    const ips = zone.ips?.filter((ip, index) => listing.has(ip) || !isKept('ips', index));
    const leaves = (ip: string) => (homes.get(ip) ?? name) !== name || (!homes.has(ip) && neighbours.declared.has(ip));
    const staying = [...listing].filter(([ip]) => !leaves(ip));
    const after = new Map([...staying, ...(ips ?? []).flatMap((ip) => entryOf(ip, listings))]);
    const count = zone.count && keptCount(zone.count, isKept, inputs.unmanaged === 'release' ? after : undefined);
    return [name, { ...zone, ips, count }];
  });
  return { ...inputs, zones: Object.fromEntries(kept), ignoreChanges: [...alone] };
}

function entryOf(ip: string, listings: Listings): [string, { country: string }][] {
  const entry = [...listings.values()].map((listing) => listing.get(ip)).find((found) => found !== undefined);
  return entry === undefined ? [] : [[ip, entry]];
}

/** `after` are the IPs that the zone will have, if the count must say so. Undefined if nothing is left to count. */
function keptCount(
  count: Count,
  isKept: (...path: PropertyPath) => boolean,
  after: Countries | undefined,
): Count | undefined {
  const expected = after && liveCount(count, after);
  if (typeof count === 'number') return isKept('count') ? expected : count;
  const numbers = typeof expected === 'object' ? expected : {};
  const entries = Object.entries(count).flatMap(([country, wanted]): [string, number][] => {
    const number = isKept('count', country) ? numbers[country] : wanted;
    return number === undefined ? [] : [[country, number]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
