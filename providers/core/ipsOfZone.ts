import { sortedIps } from '../../src/kinds/seam/ipOrder.ts';

/** The properties of an allocation that show which IPs a zone holds. */
interface Allocation {
  zones: Readonly<Record<string, { ips?: readonly string[] | null }>>;
  placements: Readonly<Record<string, string>>;
  missingIps?: Readonly<Record<string, string>> | null;
}

/** Returns the IPs of one zone, sorted by address: those that the allocation lists there, those that fill a count, and unmanaged ones. */
export function ipsOfZone({ zones, placements, missingIps }: Allocation, zone: string): string[] {
  const placed = Object.keys(placements).filter((ip) => placements[ip] === zone);
  const listed = (zones[zone]?.ips ?? []).filter((ip) => missingIps?.[ip] !== zone);
  return sortedIps(new Set([...listed, ...placed]));
}
