/** The IPs of zones as a person would declare them, for `webdata pull` and for imports. */
import { accountView, type Listing } from '../seam/accountView.ts';
import { AddressMap } from '../seam/addressMap.ts';
import { sortedIps } from '../seam/ipOrder.ts';
import { liveExport } from '../seam/liveExport.ts';
import { zoneIpAllocation } from './kind.ts';
import type { ZoneIpAllocationSpec as Spec } from './spec.ts';

liveExport.provide(zoneIpAllocation, {
  async exportLive({ zones, name, isByCount }, context) {
    if (zones.length === 0) return undefined;
    const listings = await context.view(accountView).list(zones);
    const declared = zones.map((zone) => {
      const listing: Listing = listings.get(zone) ?? AddressMap.of([]);
      return [zone, isByCount ? countedZone(listing) : { ips: sortedIps(listing.keys()) }] as const;
    });
    return { [name]: { zones: Object.fromEntries(declared) } };
  },
});

/** Counts the IPs by country. Those whose country is not known cannot be counted, and are listed. */
function countedZone(listing: Listing): Pick<Spec['zones'][string], 'ips' | 'count'> {
  const known = [...listing.values()].filter(({ country }) => country !== '');
  const byCountry = Map.groupBy(known, ({ country }) => country.toLowerCase());
  const counts = [...byCountry].map(([country, addresses]) => [country, addresses.length] as const).sort();
  const unknown = [...listing].filter(([, { country }]) => country === '').map(([ip]) => ip);
  return {
    ...(listing.size === 0 && { count: 0 }),
    ...(counts.length > 0 && { count: Object.fromEntries(counts) }),
    ...(unknown.length > 0 && { ips: sortedIps(unknown) }),
  };
}
