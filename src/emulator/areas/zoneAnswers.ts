/** Answers of account management and the reseller call in the form of the dialect (D, E). */
import type { Address } from '../core/inventory.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { RouteAnswer } from '../http/route.ts';

const noContent: RouteAnswer = { status: 204, body: '' };

/** The JSON of listings. Clients list zones again and again, and most listings are the same as before. */
const listingTexts = new WeakMap<readonly Address[], { text: string; dialect: Dialect }>();

/** Returns the listing of a zone as JSON text. */
export function listingForm(addresses: readonly Address[], dialect: Dialect): RouteAnswer {
  if (addresses.length === 0) return listingObject(addresses, dialect);
  const known = listingTexts.get(addresses);
  const text = known?.dialect === dialect ? known.text : JSON.stringify(listingObject(addresses, dialect).body);
  listingTexts.set(addresses, { text, dialect });
  return { body: text, headers: { 'content-type': 'application/json; charset=utf-8' } };
}

/** Returns a listing: `{ips: [{ip, geo_db_1, ext: {geo_db_2, geo_db_3, geo_db_4}}]}`, or another form. */
function listingObject(addresses: readonly Address[], dialect: Dialect): RouteAnswer {
  const { form, empty, limit, others } = dialect.listing;
  if (addresses.length === 0 && empty === 'no-content') return noContent;
  if (addresses.length === 0 && empty === 'null') return { body: null };
  if (addresses.length === 0 && empty === 'object') return { body: {} };
  if (addresses.length === 0 && empty === 'null-list') return { body: { ips: null } };
  const ips = [...addresses.map((address, index) => entryForm(address, index, dialect)), ...others];
  if (limit !== undefined) return { body: { ips: ips.slice(0, limit), total: ips.length } };
  return { body: form === 'list' ? ips : { ips } };
}

function entryForm({ ip, countries }: Address, index: number, dialect: Dialect): Record<string, unknown> {
  const { databases, every, ext } = dialect.listing;
  const isDeviant = index % every === 0;
  const said = dialect.geoKeys.flatMap((name, at) => {
    const value = isDeviant ? databases[at] : 'code';
    if (value === 'missing') return [];
    return [[name, value === 'code' ? spell(countries[at] ?? '', dialect) : value === 'null' ? null : ''] as const];
  });
  if (ext === 'flat') return { ip, ...Object.fromEntries(said) };
  const [first] = dialect.geoKeys;
  const beside = Object.fromEntries(said.filter(([name]) => name === first));
  if (ext === 'missing') return { ip, ...beside };
  return { ip, ...beside, ext: ext === 'null' ? null : Object.fromEntries(said.filter(([name]) => name !== first)) };
}

/** Returns totals by the first database's country: `{us: 3, de: 1}`. */
export function countsForm(addresses: readonly Address[], dialect: Dialect): RouteAnswer {
  if (addresses.length === 0 && dialect.listing.empty === 'no-content') return noContent;
  if (addresses.length === 0 && dialect.listing.empty === 'null') return { body: null };
  const located = addresses.filter(({ countries }) => countries[0] !== '');
  const totals = Map.groupBy(located, ({ countries }) => spell(countries[0], dialect));
  const counts = [...totals].map(([code, { length }]) => [code, dialect.counts === 'texts' ? `${length}` : length]);
  return { body: Object.fromEntries(counts) };
}

const spell = (code: string, { countryCase }: Dialect): string => (countryCase === 'upper' ? code.toUpperCase() : code);

/** Returns recent IPs: `{checkout: ['203.0.113.5']}`, or another form. */
export function recentIpsForm(zones: ReadonlyMap<string, readonly string[]>, dialect: Dialect, now: Date): RouteAnswer {
  const { form, empty } = dialect.recentIps;
  const seen = { last_seen: now.toISOString() };
  const entries = [...zones].flatMap(([zone, ips]): [string, unknown][] => {
    if (ips.length === 0 && empty === 'missing') return [];
    if (ips.length === 0 && empty === 'null') return [[zone, null]];
    if (form === 'objects') return [[zone, ips.map((ip) => ({ ip, ...seen }))]];
    return [[zone, form === 'map' ? Object.fromEntries(ips.map((ip) => [ip, seen])) : ips]];
  });
  return { body: Object.fromEntries(entries) };
}

/** Returns the answer to a migration: `{from, to, count}`, or another form. */
export function migrateForm(
  moved: { from: string; to: string; count: number },
  { migrateAnswer }: Dialect,
): RouteAnswer {
  const { count } = moved;
  const forms: Record<Dialect['migrateAnswer'], RouteAnswer> = {
    object: { body: moved },
    'count-text': { body: { ...moved, count: `${count}` } },
    'count-only': { body: { count } },
    number: { body: count },
    text: { body: 'OK' },
    'empty-object': { body: {} },
    'no-content': noContent,
  };
  return forms[migrateAnswer];
}

/** Returns ASNs: `[{asn: '64500', title: 'Example Networks'}]`, or another form. */
export function asnsForm(asns: readonly { asn: string; title: string }[], { asns: dialect }: Dialect): RouteAnswer {
  const entries = asns.map(({ asn, title }) => ({
    asn: dialect.numbers ? Number(asn) : asn,
    ...(dialect.titles !== 'missing' && { title: dialect.titles === 'null' ? null : title }),
  }));
  return { body: dialect.wrapped === undefined ? entries : { [dialect.wrapped]: entries } };
}
