/** `ZoneIpAllocation` in a Pulumi state: the declaration under its own names, and beside it where each IP is. */

import { type Problem, ProblemError } from '../../src/diagnostics/problem.ts';
import type { Context } from '../../src/kinds/context.ts';
import type { Listings } from '../../src/kinds/zoneIpAllocation/accountView.ts';
import { isMigrateCall } from '../../src/kinds/zoneIpAllocation/calls/migrateCall.ts';
import { zoneIpAllocation } from '../../src/kinds/zoneIpAllocation/kind.ts';
import { sortedIps } from '../../src/kinds/zoneIpAllocation/solver/addresses.ts';
import type { ZoneIpAllocationSpec } from '../../src/kinds/zoneIpAllocation/spec.ts';
import type { AllocationState } from '../../src/kinds/zoneIpAllocation/state.ts';
import type { Adapter, Declared, Live, Made } from './adapter.ts';

type Spec = ZoneIpAllocationSpec;
type Zone = Spec['zones'][string];
type Zones = Record<string, Zone>;

export const zoneIpAllocationAdapter: Adapter<Spec, AllocationState> = {
  kind: zoneIpAllocation,
  title: ({ zones }) => shortList(Object.keys(zones)),
  id: ({ zones }) => shortList(Object.keys(zones)),
  tidy,
  meaning: (spec) => {
    const zones = Object.entries(spec.zones).map(([name, zone]) => [name, { ...zone, count: foldedCount(zone.count) }]);
    return tidy({ ...spec, sources: [...spec.sources].sort(), zones: Object.fromEntries(zones) });
  },
  read: readLive,
  asLive: ({ declared, state: { listings } }) => {
    const zones = declared.zones as Zones;
    const homes = homesOf(zones);
    const live = Object.entries(zones).map(([name, zone]) => [name, zoneAsLive(name, zone, listings, homes)]);
    return { ...declared, zones: Object.fromEntries(live) };
  },
  outputs: (spec, state, made, olds) => ({
    placements: state ? placementsIn(spec, state.listings) : movedOn(spec, (olds.placements ?? {}) as Placements, made),
    unmanagedIps: state ? unmanagedIn(spec, state) : (olds.unmanagedIps ?? {}),
    moved: movesIn(made),
  }),
  replaces: () => [],
  withOlds: (context, olds) => ({ ...context, others: [...context.others, whereIpsWere(olds)] }),
  toDelete: (spec, others) => {
    const filled = new Set(others.flatMap(({ zones }) => Object.keys(zones)));
    const zones = Object.entries(spec.zones).filter(([name]) => !filled.has(name));
    return zones.length === 0 ? undefined : { ...spec, zones: Object.fromEntries(zones) };
  },
};

const mostNamed = 4;

function shortList(zones: readonly string[]): string {
  const named = zones.slice(0, mostNamed).join(', ');
  return zones.length > mostNamed ? `${named} and ${zones.length - mostNamed} more` : named;
}

function tidy(declared: Declared): Declared {
  const { zones, protect, ignoreChanges } = declared;
  return {
    ...declared,
    ...(isRecord(zones)
      ? { zones: Object.fromEntries(Object.entries(zones).map(([name, zone]) => [name, tidyZone(zone)])) }
      : {}),
    ...(Array.isArray(protect) ? { protect: distinctIps(protect) } : {}),
    ...(Array.isArray(ignoreChanges) ? { ignoreChanges: [...ignoreChanges].sort() } : {}),
  };
}

function tidyZone(zone: unknown): unknown {
  return isRecord(zone) && Array.isArray(zone.ips) ? { ...zone, ips: distinctIps(zone.ips) } : zone;
}

function distinctIps(ips: readonly unknown[]): string[] {
  return sortedIps(new Set(ips.map(String)));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function foldedCount(count: Zone['count']): Zone['count'] {
  if (typeof count !== 'object') return count;
  return Object.fromEntries(Object.entries(count).map(([country, number]) => [country.toLowerCase(), number]));
}

/** IP → the zone that lists it by address. */
function homesOf(zones: Readonly<Zones>): Map<string, string> {
  return new Map(Object.entries(zones).flatMap(([name, { ips = [] }]) => ips.map((ip) => [ip, name] as const)));
}

/** IPs that are declared in another zone and found in this one are a difference that an update would mend, as are those that miss. */
function zoneAsLive(name: string, zone: Zone, listings: Listings, homes: ReadonlyMap<string, string>): Zone {
  const listing = listings.get(name) ?? new Map();
  const strays = [...listing.keys()].filter((ip) => (homes.get(ip) ?? name) !== name);
  const present = (zone.ips ?? []).filter((ip) => listing.has(ip));
  const ips = zone.ips === undefined && strays.length === 0 ? undefined : sortedIps([...present, ...strays]);
  return { ...zone, ...(ips && { ips }), ...(zone.count !== undefined && { count: liveCount(zone.count, listing) }) };
}

function liveCount(
  count: NonNullable<Zone['count']>,
  listing: ReadonlyMap<string, { country: string }>,
): Zone['count'] {
  if (typeof count === 'number') return listing.size;
  const live = Map.groupBy(listing.values(), ({ country }) => country);
  return Object.fromEntries(
    Object.keys(count).map((country) => [country, live.get(country.toLowerCase())?.length ?? 0]),
  );
}

/** IP → zone. A map, as the engine shows a move in it as one line. */
type Placements = Record<string, string>;

function placementsIn({ zones }: Spec, listings: Listings, isShown: (ip: string) => boolean = () => true): Placements {
  const placed = Object.keys(zones).flatMap((zone) =>
    [...(listings.get(zone)?.keys() ?? [])].filter(isShown).map((ip): [string, string] => [ip, zone]),
  );
  return Object.fromEntries(placed);
}

/** Where the IPs are as far as the calls tell, when nothing can be listed. */
function movedOn({ zones }: Spec, placements: Placements, made: readonly Made[]): Placements {
  const moved = Object.fromEntries(movesIn(made).map(({ ip, to }) => [ip, to]));
  return Object.fromEntries(
    Object.entries({ ...placements, ...moved }).filter(([, zone]) => Object.hasOwn(zones, zone)),
  );
}

function unmanagedIn(spec: Spec, state: AllocationState): Placements {
  const notes = zoneIpAllocation.diff(spec, state).notes.filter(({ code }) => code === 'unmanaged');
  const unmanaged = new Set(notes.flatMap(({ ips = [] }) => ips));
  return placementsIn(spec, state.listings, (ip) => unmanaged.has(ip));
}

function movesIn(made: readonly Made[]): { ip: string; from: string; to: string }[] {
  return made.flatMap(({ call, seen, count }) => {
    if (!isMigrateCall(call) || seen === undefined || !('moved' in seen)) return [];
    // Those that are where they were to go were brought there by somebody else.
    if (count === 0) return [];
    const { from, to } = call;
    return seen.moved.map((ip) => ({ ip, from, to }));
  });
}

/** IPs are looked for in zones that the resource named before, too: one zone may have been exchanged for another. */
function whereIpsWere({ zones = {}, sources = [], spare }: Declared): Spec {
  const named = [
    ...Object.keys(zones as Zones),
    ...(sources as string[]),
    ...(spare === undefined ? [] : [String(spare)]),
  ];
  return { zones: {}, sources: named, unmanaged: 'report', protect: [], onDelete: 'leave', ignoreChanges: [] };
}

/** A zone that the service does not know any more is drift, and all of them are a resource that is gone. */
async function readLive(declared: Declared, context: Context): Promise<Live<AllocationState> | null> {
  const spec = zoneIpAllocation.spec.parse(declared);
  try {
    return { declared, state: await zoneIpAllocation.observe(spec, context as Context<Spec>) };
  } catch (error) {
    const gone = unknownZones(error);
    if (gone.size === 0) throw error;
    // Only a service that answers for its zones can say that one is gone; a wrong URL may not.
    await context.client().zones.recentIps('*', { signal: context.signal });
    const left = withoutZones(declared, gone);
    return Object.keys(left.zones as Zones).length === 0 ? null : readLive(left, context);
  }
}

function unknownZones(error: unknown): ReadonlySet<PropertyKey> {
  const problems: readonly Problem[] = error instanceof ProblemError ? error.problems : [];
  if (problems.some(({ code }) => code !== 'unknown-zone')) return new Set();
  return new Set(problems.map(({ path = [] }) => path.join('.')));
}

/** `gone` holds the paths of the zones: `zones.checkout`, `spare`, `sources.0`. */
function withoutZones({ spare, ...declared }: Declared, gone: ReadonlySet<PropertyKey>): Declared {
  const zones = Object.entries(declared.zones as Zones).filter(([name]) => !gone.has(`zones.${name}`));
  const sources = (declared.sources as string[] | undefined)?.filter((_, index) => !gone.has(`sources.${index}`));
  return {
    ...declared,
    zones: Object.fromEntries(zones),
    ...(sources && { sources }),
    ...(spare === undefined || gone.has('spare') ? {} : { spare }),
  };
}
