/** An allocation as it would be declared to match the live zones, for `webdata drift --accept`. */
import { renderFix } from '../../base/diagnostics/fix.ts';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { isMapValue } from '../../base/values/plain.ts';
import {
  type AcceptOptions,
  accepting,
  type LiveDeclaration,
  type WrittenResource,
} from '../../features/accept/capability.ts';
import { countriesOf, type Listing } from '../seam/accountView.ts';
import { AddressMap } from '../seam/addressMap.ts';
import { heldProblems } from './heldCountries.ts';
import { zoneIpAllocation } from './kind.ts';
import { liveCount } from './liveCount.ts';
import { placesOf, seenTwice } from './solver/situation.ts';
import { toAllocation, type ZoneIpAllocationSpec } from './spec.ts';
import type { AllocationState } from './state.ts';

type Spec = ZoneIpAllocationSpec;

type Zone = Spec['zones'][string];

accepting.provide(zoneIpAllocation, { acceptLive: acceptAllocation });

/** Takes over the listed IPs that have moved, and the counts. Unmanaged IPs stay undeclared, unless they would count as drift. */
export function acceptAllocation(
  { written, spec }: WrittenResource<Spec>,
  state: AllocationState,
  { isStrict, isWhole }: AcceptOptions,
): LiveDeclaration {
  const zones = isMapValue(written.zones) ? written.zones : {};
  const demands = toAllocation(spec).zones;
  const homes = new Map([...demands].flatMap(([zone, { ips }]) => ips.map((ip) => [ip, zone] as const)));
  const { declared: claimed } = state.neighbours;
  // If all resources are accepted, no other allocation keeps its claim to an IP that is here.
  const isForeign = (ip: string) => !isWhole && claimed.has(ip);
  const declares = isStrict || spec.unmanaged === 'release';
  const live = Object.entries(zones).map(([name, zone]) => {
    const declared = spec.zones[name];
    const listing = state.listings.get(name);
    if (!demands.has(name) || declared === undefined || listing === undefined) return [name, zone];
    const own = AddressMap.of([...listing].filter(([ip]) => !isForeign(ip)));
    const hasStrayed = (ip: string) => (homes.get(ip) ?? name) !== name || claimed.has(ip);
    return [name, liveZone(zone as Zone, own, declares, hasStrayed)];
  });
  return {
    fields: { ...written, zones: Object.fromEntries(live) },
    problems: [...uncertain(demands.keys(), state), ...heldProblems(state.held)],
  };
}

/** `declares`: unmanaged IPs are listed too. `hasStrayed` is true for IPs that another zone lists. */
function liveZone(zone: Zone, listing: Listing, declares: boolean, hasStrayed: (ip: string) => boolean): Zone {
  const listed = new Set(zone.ips);
  const isCounted = (country: string) =>
    typeof zone.count === 'number' || countryKey(zone.count, country) !== undefined;
  const added = [...listing].flatMap(([ip, { country }]) => {
    if (listed.has(ip)) return [];
    return (zone.ips !== undefined && hasStrayed(ip)) || (declares && !isCounted(country)) ? [ip] : [];
  });
  const stay = zone.ips?.filter((ip) => listing.has(ip));
  const ips = stay === undefined && added.length === 0 ? undefined : [...(stay ?? []), ...added];
  return { ...zone, ...(ips && { ips }), ...(zone.count !== undefined && { count: liveCount(zone.count, listing) }) };
}

function countryKey(count: Zone['count'], country: string): string | undefined {
  return typeof count === 'object' ? Object.keys(count).find((key) => key.toLowerCase() === country) : undefined;
}

/** Listings that may not show what is in the zones. */
function uncertain(zones: Iterable<string>, { listings, remarks, allowUnclearListings }: AllocationState): Problem[] {
  const { repeated } = placesOf(countriesOf(listings));
  return [...zones].flatMap((zone): Problem[] => {
    const path = ['zones', zone];
    const answer = remarks.get(zone)?.unclear;
    if (answer !== undefined && !allowUnclearListings) {
      return [
        {
          code: 'unclear-listing',
          path,
          found: `the listing of ${zone} was ${answer}, and not a list of IPs`,
          ...renderFix(
            (words) =>
              `run again when the service answers with a list; if ${zone} is empty, ${words.allowUnclearListing}`,
          ),
        },
      ];
    }
    const twice = [...repeated].filter(([, places]) => places.includes(zone));
    return twice.map(([ip, places]) => seenTwice(ip, path, places));
  });
}
