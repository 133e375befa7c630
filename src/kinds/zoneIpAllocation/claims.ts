/** The zones that the declared allocations are about, and the state of each IP in them. */
import type { IpState, ZoneClaim, ZoneClaims } from '../seam/zoneClaims.ts';
import { toAllocation, type ZoneIpAllocationSpec } from './spec.ts';

export function zoneClaims(specs: readonly ZoneIpAllocationSpec[]): ZoneClaims {
  const allocations = specs.map(toAllocation);
  const homes = new Map<string, string>();
  const protectedIps = new Set<string>();
  for (const { zones, protect } of allocations) {
    for (const [zone, { ips }] of zones) for (const ip of ips) homes.set(ip, zone);
    for (const ip of protect) protectedIps.add(ip);
  }
  const zones = new Map<string, ZoneClaim>();
  for (const [index, allocation] of allocations.entries()) {
    for (const [zone, { ips, count, keepAtLeast }] of allocation.zones) {
      zones.set(zone, { role: 'declared', count, listed: ips.length, keepAtLeast });
    }
    for (const zone of Object.keys(specs[index]?.zones ?? {})) {
      if (!allocation.zones.has(zone)) zones.set(zone, { role: 'ignored', listed: 0 });
    }
  }
  for (const { sources, spare } of allocations) {
    for (const zone of sources) if (!zones.has(zone)) zones.set(zone, { role: 'source', listed: 0 });
    // A zone may be a source of one allocation and the spare of another. It then takes IPs, too.
    const isFilled = spare !== undefined && ['declared', 'ignored'].includes(zones.get(spare)?.role ?? '');
    if (spare !== undefined && !isFilled) zones.set(spare, { role: 'spare', listed: 0 });
  }
  return {
    zones,
    isProtected: (ip) => protectedIps.has(ip),
    classifier(zone) {
      const stateOfOthers = stateOfUnlisted(zones.get(zone));
      return (ip, country) => {
        const home = homes.get(ip);
        if (home === undefined) return stateOfOthers(country);
        return home === zone ? 'declared' : 'elsewhere';
      };
    },
  };
}

/** Returns the state of IPs that are not declared by address: in a zone that is filled, it depends on the count. */
function stateOfUnlisted(claim: ZoneClaim | undefined): (country: string) => IpState | undefined {
  if (claim === undefined || claim.role === 'ignored') return () => undefined;
  const { role, count } = claim;
  if (role !== 'declared') return () => role;
  if (typeof count === 'number') return () => 'declared';
  return (country) => (count?.has(country) ? 'declared' : 'unmanaged');
}
