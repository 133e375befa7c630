/**
 * Countries that a geolocation database has changed or lost. No one moved such an IP, so it stays and counts as before, until a person agrees to the
 * change. The baseline knows the countries of the zones that are counted by country.
 */
import { renderFix } from '../../base/diagnostics/fix.ts';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { memoized } from '../../base/values/memoized.ts';
import type { ListedIp, Listing, Listings } from '../seam/accountView.ts';
import { AddressMap } from '../seam/addressMap.ts';
import type { Call } from '../seam/call.ts';
import type { Facts } from '../seam/callType.ts';
import { isMigrateCall } from './calls/migrateCall.ts';
import type { ZoneIpAllocationSpec as Spec } from './spec.ts';

export interface HeldCountry {
  ip: string;
  zone: string;
  /** Undefined if it is not known. */
  before?: string;
  /** Empty if no database knows it. */
  after: string;
  /** The country as which the IP counts: the one before, or one that its zone lacks; otherwise empty. */
  as: string;
}

/** Returns the listings with the countries as they were, and the IPs whose country differs. */
export function withHeldCountries(
  { zones }: Spec,
  listings: Listings,
  facts: (topic: string) => ReadonlySet<string>,
): { listings: Listings; held: HeldCountry[] } {
  const held = countedZones(zones).flatMap(([zone, count]) => {
    const listing = listings.get(zone);
    return listing === undefined ? [] : heldIn(zone, count, listing, knownCountries(facts(topicOf(zone))));
  });
  if (held.length === 0) return { listings, held };
  const byZone = Map.groupBy(held, ({ zone }) => zone);
  const changed = [...listings].map(([zone, listing]) => [zone, withCountries(listing, byZone.get(zone))] as const);
  return { listings: new Map(changed), held };
}

/** An IP that never had a country stands for one that its zone lacks. */
function heldIn(
  zone: string,
  count: ReadonlyMap<string, number>,
  listing: Listing,
  known: ReadonlyMap<string, string>,
): HeldCountry[] {
  const here = [...known].flatMap(([ip, before]) => {
    const after = listing.get(ip)?.country;
    return after === undefined || after === before ? [] : [{ ip, zone, before, after, as: before }];
  });
  const unknown = listing.addressesOf(({ country }) => country === '').filter((ip) => !known.has(ip));
  if (unknown.length === 0) return here;
  const lacking = lackingIn(count, withCountries(listing, here));
  return [...here, ...unknown.map((ip) => ({ ip, zone, after: '', as: lacking.shift() ?? '' }))];
}

/** Returns each country as often as the zone lacks an IP of it. */
function lackingIn(count: ReadonlyMap<string, number>, listing: Listing): string[] {
  const live = new Map<string, number>();
  for (const [{ country }, amount] of listing.counts()) live.set(country, (live.get(country) ?? 0) + amount);
  return [...count].flatMap(([country, amount]) => Array(Math.max(0, amount - (live.get(country) ?? 0))).fill(country));
}

function withCountries(listing: Listing, held: readonly HeldCountry[] = []): Listing {
  const countries = new Map(held.map(({ ip, as }) => [ip, as]));
  if (countries.size === 0) return listing;
  return AddressMap.of(
    [...listing].map(([ip, entry]): [string, ListedIp] => {
      const country = countries.get(ip);
      return [ip, country === undefined ? entry : { ...entry, country }];
    }),
  );
}

/** The countries of the IPs in the counted zones after these calls, for the baseline. */
export function countryFacts({ zones }: Spec, { listings }: { listings: Listings }, calls: readonly Call[]): Facts[] {
  const moves = calls.filter(isMigrateCall).flatMap((call) => call.moves);
  return countedZones(zones).map(([zone]) => {
    const countries = new Map([...(listings.get(zone) ?? [])].map(([ip, { country }]) => [ip, country]));
    for (const { ip, country, from, to } of moves) {
      if (from === zone) countries.delete(ip);
      if (to === zone) countries.set(ip, country);
    }
    const items = [...countries].flatMap(([ip, country]) => (country === '' ? [] : [`${ip} ${country}`]));
    return { topic: topicOf(zone), items };
  });
}

/** Returns the IPs that a zone that is counted by country held when it was applied last. */
export function countedIn(zone: string, facts: (topic: string) => ReadonlySet<string>): Iterable<string> {
  return knownCountries(facts(topicOf(zone))).keys();
}

/** The topic of the facts of a zone that is counted by country. */
export function topicOf(zone: string): string {
  return `countries in ${zone}`;
}

const knownCountries = memoized(
  (items: ReadonlySet<string>) =>
    new Map(
      [...items].map((item) => {
        const [ip = '', country = ''] = item.split(' ');
        return [ip, country] as const;
      }),
    ),
);

function countedZones(zones: Spec['zones']): [string, ReadonlyMap<string, number>][] {
  return Object.entries(zones).flatMap(([zone, { count }]): [string, ReadonlyMap<string, number>][] => {
    if (typeof count !== 'object') return [];
    return [[zone, new Map(Object.entries(count).map(([country, amount]) => [country.toLowerCase(), amount]))]];
  });
}

/** `192.0.2.10 in checkout: us before, unknown now`. */
export function countryChange({ ip, zone, before, after }: HeldCountry): string {
  const now = after === '' ? 'unknown' : after;
  return `${ip} in ${zone}: ${before === undefined ? '' : `${before} before, `}${now} now`;
}

/** The declaration is not edited because a database has changed. */
export function heldProblems(held: readonly HeldCountry[]): Problem[] {
  return held.map((each) => ({
    code: 'unclear-listing',
    path: ['zones', each.zone],
    found: `the country of an IP has changed: ${countryChange(each)}`,
    ...renderFix((words) => `to count it as it is listed now, ${words.allowUnclearListing}`),
  }));
}
