/** Account management (D): static IPs of a zone, recent IPs, and the migrate between zones. */
import { z } from 'zod';
import { isIpv4 } from './addresses.ts';
import type { Address, Countries } from './core/inventory.ts';
import type { Permission } from './core/keyring.ts';
import { Refusal } from './core/refusal.ts';
import type { World } from './core/world.ts';
import type { Dialect } from './dialect.ts';
import { findFault } from './faults.ts';
import { type Answer, bodyOf, type Call, queryOf, type Route } from './route.ts';

/** `readers` are the roles that may read; only Admin and Ops may migrate (D3). */
export function zoneRoutes(readers: readonly Permission[]): Route[] {
  return [
    { name: 'zone/ips', server: 'api', method: 'GET', path: '/zone/ips', access: readers, handle: listIps },
    {
      name: 'zone/recent_ips',
      server: 'api',
      method: 'GET',
      path: '/zone/recent_ips',
      access: readers,
      handle: recentIps,
    },
    {
      name: 'zone/ips/migrate',
      server: 'api',
      method: 'POST',
      path: '/zone/ips/migrate',
      access: ['Admin', 'Ops'],
      handle: migrate,
    },
  ];
}

/** D1: `{ips: [{ip, geo_db_1, ext: {geo_db_2, geo_db_3, geo_db_4}}]}`, or with the switch `{us: 3, de: 1}`. */
function listIps({ inventory, dialect }: World, call: Call): Answer {
  const zone = queryOf(call, 'zone');
  const isCounted = call.query[dialect.perCountrySwitch.name] === dialect.perCountrySwitch.value;
  if (!inventory.hasZone(zone)) refuseUnless(dialect.unknownZone === 'empty', zone);
  const listing = inventory.hasZone(zone) ? inventory.listing(zone) : [];
  const body = isCounted
    ? countByCountry(listing, dialect)
    : { ips: listing.map((address) => toEntry(address, dialect)) };
  return { body, effect: null };
}

function toEntry({ ip, countries }: Address, dialect: Dialect): Record<string, unknown> {
  const [first, second, third, fourth] = dialect.geoKeys;
  const [a, b, c, d] = countries.map((code) => spell(code, dialect)) as unknown as Countries;
  return { ip, [first]: a, ext: { [second]: b, [third]: c, [fourth]: d } };
}

/** Totals by the first database's country. */
function countByCountry(listing: readonly Address[], dialect: Dialect): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const { countries } of listing) {
    const code = spell(countries[0], dialect);
    totals[code] = (totals[code] ?? 0) + 1;
  }
  return totals;
}

const spell = (code: string, { countryCase }: Dialect): string => (countryCase === 'upper' ? code.toUpperCase() : code);

/** D2: `{checkout: ['203.0.113.5']}` for one zone, for several parted by commas, or for `*`. */
function recentIps({ zones, dialect }: World, call: Call): Answer {
  const asked = queryOf(call, 'zones');
  const used = [...zones].filter(([, { recentIps }]) => recentIps).map(([name]) => name);
  const names = asked === '*' ? used : asked.split(',').map((name) => name.trim());
  for (const name of names) if (!zones.has(name)) refuseUnless(dialect.unknownZone === 'empty', name);
  return { body: Object.fromEntries(names.map((name) => [name, zones.get(name)?.recentIps ?? []])), effect: null };
}

const migrateBody = z.looseObject({
  from: z.string('a zone name is required').min(1, 'a zone name is required'),
  to: z.string('a zone name is required').min(1, 'a zone name is required'),
  ips: z
    .array(z.string('an IPv4 address').refine(isIpv4, 'an IPv4 address'), 'a list of IPs is required')
    .min(1, 'at least one IP is required'),
});

/** D3: moves IPs from one zone to another and answers `{from, to, count}`. */
function migrate({ inventory, dialect }: World, call: Call): Answer {
  const { from, to, ips } = bodyOf(call, migrateBody);
  for (const zone of [from, to]) refuseUnless(inventory.hasZone(zone), zone);
  if (from === to) throw new Refusal('invalid-request', `from and to are both ${from}`);

  const asked = [...new Set(ips)];
  const there = asked.filter((ip) => inventory.zoneOf(ip) === from);
  if (dialect.migrate === 'all-or-nothing' && there.length < asked.length) {
    throw new Refusal('ips-elsewhere', asked.filter((ip) => inventory.zoneOf(ip) !== from).join(', '));
  }
  const moved = there.slice(0, findFault(call.faults, 'short-move')?.moves);
  const count = findFault(call.faults, 'short-report')?.count ?? moved.length;
  const body = { from, to, count };
  if (moved.length === 0) return { body, effect: null };
  inventory.migrate(moved, from, to, findFault(call.faults, 'lag')?.lag ?? dialect.listingLag);
  return { body, effect: { moved, from, to } };
}

function refuseUnless(isFine: boolean, zone: string): void {
  if (!isFine) throw new Refusal('unknown-zone', zone);
}
