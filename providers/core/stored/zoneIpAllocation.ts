/** Zone IP allocations as stored resources. */
import { z } from 'zod';
import { type Problem, ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { firstOf } from '../../../src/base/diagnostics/valueWords.ts';
import { isMapValue } from '../../../src/base/values/plain.ts';
import { countriesOf, type Listings } from '../../../src/kinds/seam/accountView.ts';
import type { Call, SentCall } from '../../../src/kinds/seam/call.ts';
import type { Context } from '../../../src/kinds/seam/context.ts';
import { sortedIps } from '../../../src/kinds/seam/ipOrder.ts';
import type { Properties } from '../../../src/kinds/seam/kind.ts';
import { migrate } from '../../../src/kinds/zoneIpAllocation/calls/migrate.ts';
import { isMigrateCall } from '../../../src/kinds/zoneIpAllocation/calls/migrateCall.ts';
import { topicOf } from '../../../src/kinds/zoneIpAllocation/heldCountries.ts';
import { liveCount } from '../../../src/kinds/zoneIpAllocation/liveCount.ts';
import { planAllocation } from '../../../src/kinds/zoneIpAllocation/solver/solve.ts';
import { toAllocation, type ZoneIpAllocationSpec } from '../../../src/kinds/zoneIpAllocation/spec.ts';
import type { AllocationState } from '../../../src/kinds/zoneIpAllocation/state.ts';
import { keepLiveZones } from './keepLiveZones.ts';
import type { DeclaredStored, ImportTarget } from './storedResource.ts';

type Spec = ZoneIpAllocationSpec;
type Zone = Spec['zones'][string];
type Zones = Record<string, Zone>;

const ipsAndZones = z.record(z.string(), z.string());
export const movedIps = z.array(z.object({ ip: z.string(), from: z.string(), to: z.string() }));

export const storedAllocation: DeclaredStored<Spec, AllocationState> = {
  title: ({ zones }) => firstOf(Object.keys(zones), longestList),
  // Complete, because an import takes it.
  id: ({ zones }) => Object.keys(zones).join(','),
  importTarget,
  // The service lists only zones that were used lately.
  list: async (_query, context) =>
    Object.keys(await context.client().zones.recentIps('*')).map((zone) => ({ id: zone, name: zone })),
  normalize,
  comparable: (spec) => {
    const zones = Object.entries(spec.zones).map(([name, zone]) => [name, { ...zone, count: foldedCount(zone.count) }]);
    return normalize({ ...spec, sources: [...spec.sources].sort(), zones: Object.fromEntries(zones) });
  },
  withoutGone: withoutGoneZones,
  liveInputs: (inputs, _spec, { listings }) => {
    const zones = inputs.zones as Zones;
    const homes = homesOf(zones);
    const live = Object.entries(zones).map(([name, zone]) => [name, liveZone(name, zone, listings, homes)]);
    return { ...inputs, zones: Object.fromEntries(live) };
  },
  keepLive: keepLiveZones,
  outputSchema: z.object({
    placements: ipsAndZones.describe(
      'The zone of each IP in these zones that `ips` does not list there, by IP: IPs that fill a count, and unmanaged ones.',
    ),
    missingIps: ipsAndZones.describe('The zone of each IP that `ips` lists and that is not there, by IP.'),
    unmanagedIps: ipsAndZones.describe('The zone of each unmanaged IP, by IP. Unmanaged IPs stay where they are.'),
    countries: z
      .record(z.string(), ipsAndZones)
      .describe(
        'The country as which each IP counted in the last update, by zone and IP, in zones that are counted by country. An IP that a geolocation database then lists elsewhere stays.',
      ),
    moved: movedIps.describe('The moves that the last update made.'),
  }),
  outputs: ({ spec, state, sent, olds }) => ({
    placements: state ? placementsIn(spec, state.listings) : placementsAfter(spec, olds, sent),
    missingIps: state ? missingIn(spec, state.listings) : (olds.missingIps ?? {}),
    unmanagedIps: state ? unmanagedIn(spec, state) : (olds.unmanagedIps ?? {}),
    // As a refresh finds them, moves by hand would be forgotten.
    countries: state && (sent || !olds.countries) ? countriesIn(spec, state) : (olds.countries ?? {}),
    // A refresh moves nothing, so it keeps the moves of the last update.
    ...(sent ? { moved: movesIn(sent) } : olds.moved === undefined ? {} : { moved: olds.moved }),
  }),
  guardsOthers: true,
  withOlds(context, olds) {
    const known = knownCountries(olds);
    return {
      ...context,
      others: [...context.others, zonesBefore(olds)],
      facts: (topic) => known.get(topic) ?? context.facts(topic),
    };
  },
  toDelete: (spec, others) => {
    const filled = new Set(others.flatMap(({ zones }) => Object.keys(zones)));
    const zones = Object.entries(spec.zones).filter(([name]) => !filled.has(name));
    return zones.length === 0 ? undefined : { ...spec, zones: Object.fromEntries(zones) };
  },
};

function importTarget(id: string): ImportTarget {
  const zones = [...new Set(id.split(',').map((zone) => zone.trim()))];
  if (zones.includes('')) throw new ProblemError([noZoneIn(id)]);
  const name = zones.join(',');
  return { id: name, target: { name, zones }, inputs: {} };
}

function noZoneIn(id: string): Problem {
  return {
    code: 'invalid-id',
    found: `${JSON.stringify(id)} is not a list of zones`,
    allowed: 'names of zones, separated by commas: checkout,pricing',
  };
}

const longestList = 4;

function normalize(inputs: Properties): Properties {
  const { zones, protect, ignoreChanges } = inputs;
  return {
    ...inputs,
    ...(isMapValue(zones)
      ? { zones: Object.fromEntries(Object.entries(zones).map(([name, zone]) => [name, normalizeZone(zone)])) }
      : {}),
    ...(Array.isArray(protect) ? { protect: distinctIps(protect) } : {}),
    ...(Array.isArray(ignoreChanges) ? { ignoreChanges: [...ignoreChanges].sort() } : {}),
  };
}

function normalizeZone(zone: unknown): unknown {
  return isMapValue(zone) && Array.isArray(zone.ips) ? { ...zone, ips: distinctIps(zone.ips) } : zone;
}

function distinctIps(ips: readonly unknown[]): string[] {
  return sortedIps(new Set(ips.map(String)));
}

function foldedCount(count: Zone['count']): Zone['count'] {
  if (typeof count !== 'object') return count;
  return Object.fromEntries(Object.entries(count).map(([country, number]) => [country.toLowerCase(), number]));
}

/** Maps each IP to the zone that lists it by address. */
function homesOf(zones: Readonly<Zones>): Map<string, string> {
  return new Map(Object.entries(zones).flatMap(([name, { ips = [] }]) => ips.map((ip) => [ip, name] as const)));
}

/** Shows missing IPs, and IPs that another zone declares, as a difference: an update would correct both. */
function liveZone(name: string, zone: Zone, listings: Listings, homes: ReadonlyMap<string, string>): Zone {
  const listing = listings.get(name) ?? new Map();
  const strays = [...listing.keys()].filter((ip) => (homes.get(ip) ?? name) !== name);
  const present = (zone.ips ?? []).filter((ip) => listing.has(ip));
  const ips = zone.ips === undefined && strays.length === 0 ? undefined : sortedIps([...present, ...strays]);
  return { ...zone, ...(ips && { ips }), ...(zone.count !== undefined && { count: liveCount(zone.count, listing) }) };
}

/** Maps each IP to its zone. A map, because the Pulumi engine shows a move in a map as one line. */
type Placements = Record<string, string>;

/** Leaves out what the inputs say already: the Pulumi engine writes the whole state after each step, so its size costs time. */
function placementsIn({ zones }: Spec, listings: Listings): Placements {
  const homes = homesOf(zones);
  const placed = Object.keys(zones).flatMap((zone) =>
    [...(listings.get(zone)?.keys() ?? [])].filter((ip) => homes.get(ip) !== zone).map((ip) => [ip, zone] as const),
  );
  return Object.fromEntries(placed);
}

/** Shows drift of listed IPs in a refresh: Pulumi compares the outputs, whose `zones` stay as declared. */
function missingIn({ zones }: Spec, listings: Listings): Placements {
  return Object.fromEntries([...homesOf(zones)].filter(([ip, zone]) => !listings.get(zone)?.has(ip)));
}

/** Returns the placements as far as the calls show them, for when the zones cannot be listed. */
function placementsAfter(
  { zones }: Spec,
  { placements }: Properties,
  sent: readonly SentCall<Call>[] = [],
): Placements {
  const homes = homesOf(zones);
  const moved = Object.fromEntries(movesIn(sent).map(({ ip, to }) => [ip, to]));
  return Object.fromEntries(
    Object.entries({ ...(placements as Placements | undefined), ...moved }).filter(
      ([ip, zone]) => Object.hasOwn(zones, zone) && homes.get(ip) !== zone,
    ),
  );
}

/** Zone → IP → country. */
type Countries = Record<string, Record<string, string>>;

function countriesIn({ zones }: Spec, { listings }: AllocationState): Countries {
  const counted = Object.keys(zones).filter((zone) => typeof zones[zone]?.count === 'object');
  const known = (zone: string) => [...(listings.get(zone) ?? [])].filter(([, { country }]) => country !== '');
  const countries = (zone: string) => Object.fromEntries(known(zone).map(([ip, { country }]) => [ip, country]));
  return Object.fromEntries(counted.map((zone) => [zone, countries(zone)]));
}

/** Returns the countries of the state as facts by topic. */
function knownCountries({ countries = {} }: Properties): ReadonlyMap<string, ReadonlySet<string>> {
  const zones = Object.entries(countries as Countries);
  return new Map(
    zones.map(([zone, ips]) => [topicOf(zone), new Set(Object.entries(ips).map((entry) => entry.join(' ')))]),
  );
}

function unmanagedIn(spec: Spec, { listings, neighbours, limits }: AllocationState): Placements {
  const { unmanaged } = planAllocation(toAllocation(spec), countriesOf(listings), neighbours, limits);
  return Object.fromEntries([...unmanaged].flatMap(([zone, ips]) => ips.map((ip) => [ip, zone] as const)));
}

/** Returns the moves, without IPs that something else had moved to their target before the call. */
function movesIn(sent: readonly SentCall<Call>[]): { ip: string; from: string; to: string }[] {
  return sent.flatMap(({ call, ...result }) => {
    if (!isMigrateCall(call)) return [];
    const moves = migrate.result({ call, ...result }).effect?.moves ?? [];
    return moves.map(({ ip, from, to }) => ({ ip, from, to }));
  });
}

/** Lists the zones that the resource named before too, because one zone may have replaced another. */
function zonesBefore({ zones = {}, sources = [], spare }: Properties): Spec {
  const named = [
    ...Object.keys(zones as Zones),
    ...(sources as string[]),
    ...(spare === undefined ? [] : [String(spare)]),
  ];
  return { zones: {}, sources: named, unmanaged: 'report', protect: [], onDelete: 'leave', ignoreChanges: [] };
}

/** A zone that the service does not know any more is drift. If it knows none of the zones, the resource is gone. */
async function withoutGoneZones(
  inputs: Properties,
  error: unknown,
  { client, signal }: Context,
): Promise<Properties | null | undefined> {
  const gone = unknownZones(error);
  if (gone.size === 0) return undefined;
  // Only a service that lists zones can show that one is gone. A wrong URL cannot.
  await client().zones.recentIps('*', { signal });
  const left = withoutZones(inputs, gone);
  return Object.keys(left.zones as Zones).length === 0 ? null : left;
}

/** Returns the paths of the zones: `zones.checkout`, `spare`, `sources.0`. */
function unknownZones(error: unknown): ReadonlySet<string> {
  const problems: readonly Problem[] = error instanceof ProblemError ? error.problems : [];
  if (problems.some(({ code }) => code !== 'unknown-zone')) return new Set();
  return new Set(problems.map(({ path = [] }) => path.join('.')));
}

function withoutZones({ spare, ...inputs }: Properties, gone: ReadonlySet<string>): Properties {
  const zones = Object.entries(inputs.zones as Zones).filter(([name]) => !gone.has(`zones.${name}`));
  const sources = (inputs.sources as string[] | undefined)?.filter((_, index) => !gone.has(`sources.${index}`));
  return {
    ...inputs,
    zones: Object.fromEntries(zones),
    ...(sources && { sources }),
    ...(spare === undefined || gone.has('spare') ? {} : { spare }),
  };
}
