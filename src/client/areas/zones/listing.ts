/**
 * Reads a listing of static IPs (specification, D1). Only the IP of an entry is required. Entries are read without readers: an account
 * may have hundreds of thousands, and readers would dominate the time. Entries that are no IPv4 address are kept apart: no call can move them.
 */
import ipaddr from 'ipaddr.js';
import { firstOf } from '../../../base/diagnostics/valueWords.ts';
import { isIPv4 } from '../../../base/values/ipv4.ts';
import { isMapValue } from '../../../base/values/plain.ts';
import { profileYaml, type ServiceProfile } from '../../profile.ts';
import { shown } from '../../reading/misfits.ts';
import {
  asNumber,
  below,
  isEmptyValue,
  type Reader,
  reportedError,
  ShapeFault,
  type ValuePlace,
} from '../../reading/readers.ts';
import { type GeolocationNames, geolocationNames } from './geolocation.ts';

/** A static IP of a zone. Further fields of the service are kept under their names. */
export interface StaticIp {
  /** IPv4. */
  ip: string;
  /**
   * Two letters in lower case, from the profile's `countryDatabase`, else from the first database that has a country; empty if none has
   * one.
   */
  country: string;
  /** Country by database key: two letters in lower case. */
  geolocation: Record<string, string>;
  [unknown: string]: unknown;
}

export interface ZoneListing {
  ips: StaticIp[];
  /** Entries that are no IPv4 addresses, each once. */
  apart: string[];
  names: GeolocationNames;
  /** The answer if it is not a listing but probably means an empty one: `{}`, null or nothing. */
  unclear: string | undefined;
  /** Why the answer is only a part of the listing, as a phrase: `total is 300`. */
  partial: string | undefined;
}

/** Reads `{ips: [{ip, geo_db_1, ext: {…}}]}`, a bare list, or an answer that means an empty list. */
export function listingReader(profile: ServiceProfile['geolocation']): Reader<ZoneListing> {
  return (value, at) => {
    const [entries, place] = entriesIn(value, at);
    const names = geolocationNames(profile, entries);
    refuseStaleProfile(profile, entries);
    const read = entryReader(names, place);
    const ips = new Map<string, StaticIp>();
    const apart = new Set<string>();
    entries.forEach((entry, index) => {
      const ip = isMapValue(entry) ? entry.ip : entry;
      const address = typeof ip === 'string' ? addressIn(ip) : undefined;
      if (address === undefined || !isIPv4(address)) apart.add(address ?? odd(entry, index, place));
      else if (!ips.has(address)) ips.set(address, read(entry, address, index));
    });
    if (apart.size > 0 && ips.size === 0) assertAddresses(entries, place);
    const unclear = entries.length === 0 ? unclearness(value) : undefined;
    return { ips: [...ips.values()], apart: [...apart], names, unclear, partial: partOf(value, entries.length) };
  };
}

/** Says why a listing may not show what a zone holds. */
export function listingRemarks(
  zone: string,
  { unclear, partial, apart }: Pick<ZoneListing, 'unclear' | 'partial' | 'apart'>,
): string[] {
  const others = `entries of ${zone} that are no IPv4 addresses do not count and never move: ${firstOf(apart, fewEntries)}`;
  return [
    ...(partial === undefined ? [] : [`the listing of ${zone} is not whole: ${partial}`]),
    ...(unclear === undefined ? [] : [`${zone} lists no IPs: the service answered with ${unclear} instead of a list`]),
    ...(apart.length === 0 ? [] : [others]),
  ];
}

const fewEntries = 5;

/** Returns an entry that is no address as it is shown. @throws ShapeFault for a value of another type */
function odd(entry: unknown, index: number, at: ValuePlace): string {
  const isWrapped = isMapValue(entry) && entry.ip !== undefined;
  const [value, path] = isWrapped ? [entry.ip, [...at.path, index, 'ip']] : [entry, [...at.path, index]];
  if (isMapValue(value)) throw new ShapeFault(path, isWrapped ? anAddress : anEntry, value);
  if (value !== null && typeof value !== 'string') throw new ShapeFault(path, anAddress, value);
  at.misfits.add(path, value, anAddress);
  return shown(value);
}

/** @throws ShapeFault for a list in which nothing is an address: it is not a listing */
function assertAddresses(entries: readonly unknown[], at: ValuePlace): void {
  const ips = entries.map((entry) => (isMapValue(entry) ? entry.ip : entry));
  if (ips.some((ip) => typeof ip === 'string' && addressIn(ip) !== undefined)) return;
  throw new ShapeFault([...at.path, 0], anEntry, entries[0]);
}

const anAddress = 'an IPv4 address';

const anEntry = 'an entry with an `ip`';

/** Returns the address that a text is: IPv4, also if it is written as IPv6, or IPv6. */
function addressIn(ip: string): string | undefined {
  if (isIPv4(ip)) return ip;
  const text = ip.trim();
  if (isIPv4(text)) return text;
  return text.includes(':') && ipaddr.IPv6.isValid(text) ? ipaddr.process(text).toString() : undefined;
}

const totalName = /^(?:total|count)$|^total_?(?:count|items|ips|results)$/i;
const pagesName = /^(?:pages|total_?pages|page_?count|last_?page)$/i;
const nextName = /^(?:next|next_?(?:page|cursor|token|url|link)|has_?(?:more|next))$/i;
/** Names of objects that hold such fields. */
const holderName = /^(?:data|results?|response|zone|meta|paging|pagination|page_?info|links|_links)$/i;

/** Returns the field beside the entries that shows that there are more. */
function partOf(value: unknown, entries: number): string | undefined {
  if (!isMapValue(value)) return undefined;
  const found = fieldsOf(value).find(([name, field]) => {
    const number = asNumber(field);
    if (totalName.test(name)) return number !== undefined && number > entries;
    if (pagesName.test(name)) return number !== undefined && number > 1;
    return nextName.test(name) && field !== false && field !== 0 && !isEmptyValue(field);
  });
  return found && `\`${found[0]}\` is ${shown(found[1])}, beside ${entries} entries`;
}

function fieldsOf(value: object): [string, unknown][] {
  return Object.entries(value).flatMap(([name, field]) =>
    holderName.test(name) && isMapValue(field) ? fieldsOf(field) : [[name, field]],
  );
}

/** Returns true for a listing, false for numbers by country. */
export function isListing(value: unknown, at: ValuePlace): boolean {
  if (!isMapValue(value)) return Array.isArray(value);
  return Array.isArray(value.ips) || value.ips === null || wrapped(value, at) !== undefined;
}

const key = 'ips';

function entriesIn(value: unknown, at: ValuePlace): [readonly unknown[], ValuePlace] {
  if (reportedError(value) !== undefined) throw new ShapeFault(below(at, key).path, 'a list', undefined);
  if (Array.isArray(value)) return [value, at];
  if (isEmptyValue(value)) return [[], at];
  if (!isMapValue(value)) throw new ShapeFault(at.path, 'a listing of IPs', value);
  if (Object.hasOwn(value, key)) {
    const place = below(at, key);
    if (Array.isArray(value.ips)) return [value.ips, place];
    if (isEmptyValue(value.ips)) return [[], place];
    throw new ShapeFault(place.path, 'a list', value.ips);
  }
  const found = wrapped(value, at);
  if (found !== undefined) return found;
  throw new ShapeFault(below(at, key).path, `a list, in an answer that is ${shown(value)}`, undefined);
}

/** Returns a listing under another name, also in an object in the answer: the only list, if its entries have IPs. */
function wrapped(value: Record<string, unknown>, at: ValuePlace): [readonly unknown[], ValuePlace] | undefined {
  const [only, another] = listsIn(value, at);
  if (only === undefined || another !== undefined) return undefined;
  const isOfIps = only[0].some(
    (entry) => isMapValue(entry) && typeof entry.ip === 'string' && addressIn(entry.ip) !== undefined,
  );
  return isOfIps ? only : undefined;
}

function listsIn(value: object, at: ValuePlace, isInner = false): [readonly unknown[], ValuePlace][] {
  return Object.entries(value).flatMap(([name, field]) => {
    if (Array.isArray(field)) return [[field, below(at, name)]];
    return isMapValue(field) && !isInner ? listsIn(field, below(at, name), true) : [];
  });
}

function unclearness(value: unknown): string | undefined {
  if (Array.isArray(value) || (isMapValue(value) && Array.isArray(value.ips))) return undefined;
  return value === undefined ? 'an empty answer' : shown(value);
}

/** Refuses pinned names that no entry has, if others would fit: the profile belongs to another service. */
function refuseStaleProfile(profile: ServiceProfile['geolocation'], entries: readonly unknown[]): void {
  const { first } = profile;
  if (first === undefined || entries.length === 0) return;
  if (entries.some((entry) => isMapValue(entry) && (Object.hasOwn(entry, first) || hasInExt(entry, first)))) return;
  const found = geolocationNames({}, entries);
  if (found.first === undefined || found.first === first) return;
  const fix = `The service profile names \`${first}\` (geolocation.first), but this service seems to have other databases: ${pasteReady(found)}`;
  throw new ShapeFault([key, 0, first], 'the geolocation database of the service profile', undefined, fix);
}

function hasInExt({ ext }: Record<string, unknown>, name: string): boolean {
  return isMapValue(ext) && Object.hasOwn(ext, name);
}

function pasteReady({ first, others }: Pick<GeolocationNames, 'first' | 'others'>): string {
  return profileYaml({ geolocation: { first, others: [...others] } });
}

/** Names of the fields of `StaticIp`. */
const reserved: ReadonlySet<string> = new Set(['ip', 'country', 'geolocation', 'ext']);

type Entry = Readonly<Record<string, unknown>>;

const twoLetters = 'a country code of two letters';

function entryReader(names: GeolocationNames, at: ValuePlace): (entry: unknown, ip: string, index: number) => StaticIp {
  const { first, others, deciding } = names;
  const databases = [...new Set([...(first === undefined ? [] : [first]), ...others, ...deciding])];
  const known = new Set([...databases, ...reserved]);

  /** A value that is not a country is ignored, except in the database that determines the country: there it is an error. */
  function refuseWrongCode(entry: Entry, geolocation: StaticIp['geolocation'], index: number): void {
    for (const name of deciding) {
      if (geolocation[name] !== undefined) return;
      const [value, path] = placed(entry, name);
      if (typeof value === 'string' && value.trim() !== '') {
        throw new ShapeFault([...at.path, index, ...path], twoLetters, value, notADatabase(name, names));
      }
    }
  }

  return (entry, ip, index) => {
    if (!isMapValue(entry)) return { ip, country: '', geolocation: {} };
    const geolocation: Record<string, string> = {};
    const ext = isMapValue(entry.ext) ? entry.ext : none;
    if (ext === none && !isEmptyValue(entry.ext)) at.misfits.add([...at.path, index, 'ext'], entry.ext, 'an object');
    for (const name of databases) {
      const value = entry[name] ?? ext[name];
      if (value === undefined || value === null || value === '') continue;
      const code = codeIn(value);
      if (code !== undefined) geolocation[name] = code;
      else at.misfits.add([...at.path, index, ...placed(entry, name)[1]], value, twoLetters);
    }
    let country = '';
    for (const name of deciding) {
      const code = geolocation[name];
      if (code === undefined) continue;
      country = code;
      break;
    }
    if (country === '' || geolocation[deciding[0] ?? ''] === undefined) refuseWrongCode(entry, geolocation, index);
    const others = unknownIn(entry, known);
    const othersInExt = ext === none ? entry.ext : unknownIn(ext, known);
    if (!isEmptyValue(othersInExt)) others.ext = othersInExt;
    return { ...others, ip, country, geolocation };
  };
}

const none: Entry = {};

function placed(entry: Entry, name: string): [unknown, (string | number)[]] {
  if (entry[name] !== undefined && entry[name] !== null) return [entry[name], [name]];
  return isMapValue(entry.ext) ? [entry.ext[name], ['ext', name]] : [undefined, [name]];
}

/** Returns the code in lower case, or undefined for any other value. */
function codeIn(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const code = value.length === 2 ? value : value.trim();
  return code.length === 2 && /^[a-z]{2}$/i.test(code) ? code.toLowerCase() : undefined;
}

function unknownIn(fields: Entry, known: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !known.has(name)));
}

function notADatabase(name: string, { first, others }: GeolocationNames): string {
  const rest = others.filter((other) => other !== name);
  const paste = first === name ? { first: rest[0] ?? 'NAME', others: rest.slice(1) } : { first, others: rest };
  return `If \`${name}\` is not a geolocation database of this service, name the actual ones: ${pasteReady(paste)}`;
}
