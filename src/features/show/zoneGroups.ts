/** Counts the IPs of a zone by country and state. Keeps the addresses only if they are to be shown one by one. Pure. */
import { sortedIps } from '../../kinds/seam/ipOrder.ts';
import type { IpState, ZoneClaim, ZoneClaims } from '../../kinds/seam/zoneClaims.ts';

/** Selects the IPs that are counted. With `isListed`, their addresses are kept too. */
export interface IpFilter {
  /** In lower case; empty for IPs whose country is not known. Undefined for all countries. */
  countries?: ReadonlySet<string> | undefined;
  /** Undefined for all IPs. */
  ips?: ReadonlySet<string> | undefined;
  unmanagedOnly?: boolean | undefined;
  isListed?: boolean | undefined;
}

export interface IpGroup {
  ips: number;
  /** Counted in `states` too. */
  protected: number;
  states: Partial<Record<IpState, number>>;
  /** The number of declared IPs that the declaration wants. Undefined if it names none, or if only some IPs are counted. */
  wanted?: number | undefined;
}

export interface CountryGroup extends IpGroup {
  /** Empty if it is not known. */
  country: string;
  /** In the order of their addresses. */
  addresses?: string[] | undefined;
}

export interface ZoneGroup extends IpGroup {
  /** The largest first. */
  countries: CountryGroup[];
}

type ListedIp = Readonly<{ ip: string; country: string }>;

export function groupIps(zone: string, ips: Iterable<ListedIp>, claims: ZoneClaims, filter: IpFilter): ZoneGroup {
  const { countries: chosen, ips: only, unmanagedOnly = false, isListed = false } = filter;
  const claim = claims.zones.get(zone);
  const stateOf = claims.classifier(zone);
  const groups = new Map<string, CountryGroup>();
  const groupOf = (country: string): CountryGroup => {
    const known = groups.get(country);
    if (known !== undefined) return known;
    const group: CountryGroup = { country, ips: 0, protected: 0, states: {}, ...(isListed && { addresses: [] }) };
    groups.set(country, group);
    return group;
  };
  const isChosen = (country: string) => chosen?.has(country) ?? true;
  const hasAllIps = only === undefined && !unmanagedOnly;
  if (hasAllIps) {
    for (const [country, wanted] of countsByCountry(claim)) {
      if (isChosen(country)) groupOf(country).wanted = wanted;
    }
  }
  for (const { ip, country } of ips) {
    if (!isChosen(country) || only?.has(ip) === false) continue;
    const state = stateOf(ip, country);
    if (unmanagedOnly && state !== 'unmanaged') continue;
    const group = groupOf(country);
    group.ips += 1;
    if (state !== undefined) group.states[state] = (group.states[state] ?? 0) + 1;
    if (claims.isProtected(ip)) group.protected += 1;
    group.addresses?.push(ip);
  }
  const countries = [...groups.values()].sort((a, b) => b.ips - a.ips || (a.country < b.country ? -1 : 1));
  for (const group of countries) if (group.addresses !== undefined) group.addresses = sortedIps(group.addresses);
  const wanted = hasAllIps && chosen === undefined ? wantedIn(claim) : undefined;
  return { ...sumOf(countries), ...(wanted !== undefined && { wanted }), countries };
}

/** Returns the sum of groups, without what is wanted: some may want none. */
export function sumOf(groups: readonly IpGroup[]): IpGroup {
  const sum: IpGroup = { ips: 0, protected: 0, states: {} };
  for (const group of groups) {
    sum.ips += group.ips;
    sum.protected += group.protected;
    for (const [state, count] of Object.entries(group.states) as [IpState, number][]) {
      sum.states[state] = (sum.states[state] ?? 0) + count;
    }
  }
  return sum;
}

function countsByCountry(claim: ZoneClaim | undefined): Iterable<[string, number]> {
  return typeof claim?.count === 'object' ? claim.count : [];
}

/** Returns the declared number of IPs of a zone. Undefined if the numbers are declared by country. */
function wantedIn(claim: ZoneClaim | undefined): number | undefined {
  if (claim?.role !== 'declared' || typeof claim.count === 'object') return undefined;
  return claim.count ?? claim.listed;
}
