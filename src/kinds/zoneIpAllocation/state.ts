/** The live state of an allocation: the listings of every zone that may matter, read until they are consistent. */

import { renderFix } from '../../base/diagnostics/fix.ts';
import { assertNoProblems, type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { ServiceError } from '../../client/errors.ts';
import type { InferredProfile } from '../../client/inferredProfile.ts';
import { accountView, countriesOf, type ListingRemark, type Listings } from '../seam/accountView.ts';
import { AddressMap } from '../seam/addressMap.ts';
import type { Context } from '../seam/context.ts';
import { countedIn, type HeldCountry, withHeldCountries } from './heldCountries.ts';
import { pollUntilConsistent } from './pollUntilConsistent.ts';
import type { Allocation, Limits, Neighbourhood } from './solver/model.ts';
import { declaredBy, placesOf } from './solver/situation.ts';
import { toAllocation, type ZoneIpAllocationSpec } from './spec.ts';

type Spec = ZoneIpAllocationSpec;

export interface AllocationState {
  /** Zone → IP → what the service says of it, for every zone that the declaration or a neighbour names. */
  listings: Listings;
  neighbours: Neighbourhood;
  limits: Limits;
  /** Facts of the listings beside IPs, by zone. */
  remarks: ReadonlyMap<string, ListingRemark>;
  /** IPs that count by an earlier country: in `listings`, they still have it. */
  held: readonly HeldCountry[];
  /** Zone → the number of IPs that its plan allows, for zones that are to grow, if the profile says that the service shows it. */
  planned: ReadonlyMap<string, number>;
  /** True if an unclear listing may be a reason to move IPs. */
  allowUnclearListings: boolean;
  /** The part of the profile that was read from answers and is printed with this allocation. */
  inferred: InferredProfile | undefined;
}

/** Lists the zones, and lists them again while a declared IP is in none of them or any IP is in two. @throws ProblemError, ServiceError */
export async function observe(spec: Spec, context: Context<Spec>, run: Limits = {}): Promise<AllocationState> {
  const { zones: declared } = toAllocation(spec);
  const zones = await knownZones(spec, context);
  const listed = await pollUntilConsistent(zones, context, (seen) => isConsistent(seen, declared));
  const { allowMoves, allowUnclearListings = false, zones: only } = context.overrides;
  const { listings, held } = allowUnclearListings
    ? { listings: listed, held: [] }
    : withHeldCountries(spec, listed, context.facts);
  const { migrateBatchLimit: batchLimit } = context.client().profile;
  const limits = {
    batchLimit,
    allowMoves,
    held: new Set(held.map(({ ip }) => ip)),
    former: formerIps(context),
    only,
    ...run,
  };
  return {
    listings,
    neighbours: neighboursOf(spec, context.others),
    limits,
    planned: await plannedIn(spec, listings, context),
    remarks: new Map(context.view(accountView).remarks),
    held,
    allowUnclearListings,
    inferred: inferredFrom(zones, context),
  };
}

/** Runs and the baseline show which IPs a zone held. */
function formerIps(context: Context<Spec>): Limits['former'] {
  const { recentMoves } = context.view(accountView);
  const known = new Map<string, ReadonlySet<string> | undefined>();
  const read = (zone: string) => {
    const left = recentMoves.leftBy(zone);
    const counted = [...countedIn(zone, context.facts)];
    return left === undefined && counted.length === 0 ? undefined : new Set([...(left ?? []), ...counted]);
  };
  return (zone) => {
    if (!known.has(zone)) known.set(zone, read(zone));
    return known.get(zone);
  };
}

async function plannedIn(
  { zones }: Spec,
  listings: Listings,
  context: Context<Spec>,
): Promise<ReadonlyMap<string, number>> {
  const { account, profile } = context.client();
  if (profile.accountRoutes !== true) return new Map();
  const growing = Object.entries(zones).filter(([zone, spec]) => wantedIn(spec) > (listings.get(zone)?.size ?? 0));
  const planned = await Promise.all(
    growing.map(async ([zone]) => [zone, await account.plannedIps(zone, { signal: context.signal })] as const),
  );
  return new Map(planned.flatMap(([zone, most]) => (most === undefined ? [] : [[zone, most]])));
}

/** Returns the number of IPs that a zone is declared to have at least. */
export function wantedIn({ ips = [], count }: Spec['zones'][string]): number {
  if (typeof count === 'object')
    return Math.max(
      ips.length,
      Object.values(count).reduce((sum, each) => sum + each, 0),
    );
  return count ?? ips.length;
}

/** Returned to one allocation only, since it is about the whole account. */
function inferredFrom(zones: readonly string[], context: Context<Spec>): InferredProfile | undefined {
  const account = context.view(accountView);
  const isInferred = zones.some((zone) => account.remarks.get(zone)?.names.isInferred);
  if (!isInferred || !account.isSpeaker('geolocation', context.name)) return undefined;
  const { geolocation } = context.client().inferredProfile();
  return { geolocation };
}

function isConsistent(listings: Listings, declared: Allocation['zones']): boolean {
  const places = placesOf(countriesOf(listings));
  return places.repeated.size === 0 && [...declared.values()].every(({ ips }) => ips.every((ip) => places.has(ip)));
}

/** Returns every zone that this spec or another one names: a declared IP may be in any of them. */
export function zonesOf(spec: Spec, { others }: Context<Spec>): string[] {
  return [...new Set([spec, ...others].flatMap(namesIn))];
}

/** Zones, sources and the spare. */
export function namesIn({ zones, sources, spare }: Spec): string[] {
  return [...Object.keys(zones), ...sources, ...(spare === undefined ? [] : [spare])];
}

/** Reports each zone of this spec that the service does not know. Problems with zones of other specs are reported for those specs. */
async function knownZones(spec: Spec, context: Context<Spec>): Promise<string[]> {
  const zones = zonesOf(spec, context);
  const failed = await context.view(accountView).failures(zones);
  if (failed.size === 0) return zones;
  const unknown = [...failed].map(([zone, error]) => ({ zone, ...wordsOfNotFound(error) }));
  const own = new Set(namesIn(spec));
  const problems = unknown.filter(({ zone }) => own.has(zone)).map((each) => unknownZone(spec, each));
  if (problems.length > 0 && isWrongService(unknown, zones)) throw new ProblemError([noZoneFound(unknown, context)]);
  assertNoProblems(problems);
  return zones.filter((zone) => !failed.has(zone));
}

interface UnknownZone {
  zone: string;
  /** The message of the service; empty if it gave none. */
  said: string;
  /** Names the nearest zone, if the service lists all of them. */
  fix?: string | undefined;
}

/** @throws the error itself, if the service did not answer that the zone does not exist */
function wordsOfNotFound(error: unknown): Omit<UnknownZone, 'zone'> {
  if (error instanceof ServiceError && error.code === 'not-found') {
    // Without a status, it was compared with all zones.
    return { said: error.said ?? '', ...(error.status === undefined && { fix: error.fix }) };
  }
  throw error;
}

/** Returns true if the URL is likely wrong rather than the names: the service knows none of the zones. */
function isWrongService(unknown: readonly UnknownZone[], zones: readonly string[]): boolean {
  if (zones.length < 2 || unknown.length < zones.length) return false;
  return zones.length > 2 || saidToAll(unknown) !== undefined;
}

/** Returns the message of the service if it is the same for every zone. */
function saidToAll(unknown: readonly UnknownZone[]): string | undefined {
  const [first, ...others] = new Set(unknown.map(({ said }) => said));
  return others.length === 0 ? first : undefined;
}

function noZoneFound(unknown: readonly UnknownZone[], context: Context<Spec>): Problem {
  return {
    code: 'no-zone-found',
    found: `no declared zone exists at ${context.client().origin}${inParentheses(saidToAll(unknown))}`,
    ...renderFix(
      ({ apiUrl }) =>
        `check the URL of the service (${apiUrl}) and the key; if both are right, correct the names of the zones`,
    ),
    affects: [],
  };
}

function unknownZone({ zones, sources, spare }: Spec, { zone, said, fix }: UnknownZone): Problem {
  const donor = zone === spare ? ['spare'] : ['sources', sources.indexOf(zone)];
  return {
    code: 'unknown-zone',
    path: Object.hasOwn(zones, zone) ? ['zones', zone] : donor,
    found: `zone \`${zone}\` does not exist${inParentheses(said)}`,
    allowed: 'the name of a zone of this account',
    fix:
      fix ??
      'correct the name, or make the zone in the control panel (a zone cannot be renamed); if no zone of the account is found, check the URL of the service',
  };
}

function inParentheses(said: string | undefined): string {
  return said ? ` (the service said: ${said})` : '';
}

function neighboursOf(spec: Spec, others: readonly Spec[]): Neighbourhood {
  let joined: AddressMap<unknown> | undefined;
  return {
    declared: {
      // Computed on demand: if every IP in the zones is declared there, as in most accounts, this is never called.
      has(ip) {
        // A zone that its allocation ignores claims no IPs. If it did, nothing could ever move them there or elsewhere.
        joined ??= AddressMap.joined(others.map((other) => [other, declaredBy(toAllocation(other))]));
        return joined.has(ip);
      },
    },
    protect: new Set(others.flatMap(({ protect }) => protect)),
    floors: new Map([spec, ...others].flatMap(floorsIn)),
  };
}

/** Includes ignored zones: their floors hold too. */
function floorsIn({ zones }: Spec): [string, number][] {
  return Object.entries(zones).flatMap(([zone, { keepAtLeast }]) =>
    keepAtLeast === undefined ? [] : [[zone, keepAtLeast] satisfies [string, number]],
  );
}
