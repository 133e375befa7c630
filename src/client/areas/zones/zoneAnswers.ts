/** Reads the other answers about zones: counts by country, recent IPs and migrations (specification, D1 to D3). */
import { isIP } from 'node:net';
import { isMapValue } from '../../../base/values/plain.ts';
import {
  asNumber,
  below,
  count,
  isEmptyValue,
  type Reader,
  reportedError,
  ShapeFault,
  type ValuePlace,
} from '../../reading/readers.ts';
import { isListing, type StaticIp } from './listing.ts';

export type Counts = Record<string, number>;

/** Reads counts by country; undefined if the service answers a listing of IPs instead. */
export const countries: Reader<Counts | undefined> = (value, at) => {
  if (isListing(value, at)) return undefined;
  if (isEmptyValue(value)) return {};
  const counts: Counts = {};
  const [entries, place] = countEntries(value, at);
  for (const [name, number] of entries) {
    if (!isCountry(name, number, place)) continue;
    const country = name.toLowerCase();
    counts[country] = (counts[country] ?? 0) + count(number, below(place, name));
  }
  if (Object.keys(counts).length === 0) throw new ShapeFault(at.path, 'counts by country', value);
  return counts;
};

/** Counts a listing, for services that ignore the switch. */
export function countOf(ips: readonly StaticIp[]): Counts {
  const counts: Counts = {};
  for (const { country } of ips) if (country !== '') counts[country] = (counts[country] ?? 0) + 1;
  return counts;
}

function countEntries(value: unknown, at: ValuePlace): [[string, unknown][], ValuePlace] {
  if (!isMapValue(value) || reportedError(value) !== undefined)
    throw new ShapeFault(at.path, 'counts by country', value);
  const entries = Object.entries(value);
  const [only] = entries;
  // `{countries: {us: 3}}`
  if (entries.length === 1 && only !== undefined && isMapValue(only[1]))
    return [Object.entries(only[1]), below(at, only[0])];
  return [entries, at];
}

/** Returns false for a name that is not a country. A code of three letters is an error, because skipping it would hide its IPs. */
function isCountry(name: string, number: unknown, at: ValuePlace): boolean {
  if (/^[a-z]{2}$/i.test(name)) return true;
  if (/^[a-z]{3}$/i.test(name) && asNumber(number) !== undefined) {
    throw new ShapeFault(at.path, 'country codes of two letters', name);
  }
  at.misfits.add(below(at, name).path, number, 'a country code of two letters as name');
  return false;
}

/** Reads the IPs by zone. `zone` is the requested zone, which a bare list refers to; undefined for all zones. */
export function recentIps(zone: string | undefined): Reader<Record<string, string[]>> {
  return (value, at) => {
    if (isEmptyValue(value)) return zone === undefined ? {} : { [zone]: [] };
    if (zone !== undefined && Array.isArray(value)) return { [zone]: [...new Set(ipsIn(value, at))] };
    if (!isMapValue(value) || reportedError(value) !== undefined) throw new ShapeFault(at.path, 'IPs by zone', value);
    const zones = Object.entries(value).filter(([name, ips]) => name === zone || isAboutZone(name, ips, at));
    return Object.fromEntries(zones.map(([name, ips]) => [name, [...new Set(ipsIn(ips, below(at, name)))]]));
  };
}

/** Returns false for a field that holds neither a list nor an address and therefore is not a zone. */
function isAboutZone(name: string, ips: unknown, at: ValuePlace): boolean {
  if (typeof ips === 'object' || (typeof ips === 'string' && isIP(ips) > 0)) return true;
  at.misfits.add(below(at, name).path, ips, 'a list of IPs');
  return false;
}

/** Returns the IPs in a list of texts, a list of objects with an `ip`, or an object keyed by IP. */
function ipsIn(value: unknown, at: ValuePlace): string[] {
  if (isEmptyValue(value)) return [];
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((item, index) => ipOf(item, below(at, index)));
  if (isMapValue(value) && Object.keys(value).every((key) => isIP(key) > 0)) return Object.keys(value);
  throw new ShapeFault(at.path, 'a list of IPs', value);
}

function ipOf(item: unknown, at: ValuePlace): string[] {
  const ip = isMapValue(item) ? item.ip : item;
  if (typeof ip === 'string') return [ip];
  at.misfits.add(at.path, item, 'an IP');
  return [];
}

/** Answer to a migration. Listings show later where each IP is. */
export interface Migrated {
  from: string;
  to: string;
  /** Number of moved IPs; undefined if the service does not report it. */
  count: number | undefined;
  [unknown: string]: unknown;
}

/** Reads the answer to a migration: anything but a reported error is accepted. */
export function migrated({ from, to }: { from: string; to: string }): Reader<Migrated> {
  return (value, at) => {
    const said = isMapValue(value) ? value : {};
    const isCutShort = typeof value === 'string' && /^\s*[[{]/.test(value);
    if (isCutShort || reportedError(value) !== undefined) {
      throw new ShapeFault(at.path, 'the number of moved IPs', value);
    }
    for (const [name, zone] of Object.entries({ from, to })) {
      if (said[name] !== undefined && said[name] !== zone) at.misfits.add(below(at, name).path, said[name], zone);
    }
    const found = isMapValue(value) ? value.count : value;
    const number = asNumber(found);
    const isCount = number !== undefined && Number.isSafeInteger(number) && number >= 0;
    if (!isCount && found !== undefined && found !== null) {
      at.misfits.add(isMapValue(value) ? below(at, 'count').path : at.path, found, 'a count');
    }
    return { ...said, from, to, count: isCount ? number : undefined };
  };
}
