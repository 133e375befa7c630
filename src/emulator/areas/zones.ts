/** Account management (D): static IPs of a zone, recent IPs, and migrations between zones. The reseller call (E). */
import { isIPv4 } from 'node:net';
import { z } from 'zod';
import { findFault } from '../core/faults.ts';
import { Refusal } from '../core/refusal.ts';
import type { World } from '../core/world.ts';
import { bodyOf, queryOf, type Route, type RouteAnswer, type RouteCall } from '../http/route.ts';
import { asnsForm, countsForm, listingForm, migrateForm, recentIpsForm } from './zoneAnswers.ts';

/** Returns the routes, with that of the reseller call. Only Admin and Ops may migrate (D3). */
export function zoneRoutes(): Route[] {
  const read = { server: 'api', method: 'GET', access: 'readers' } as const;
  const write = { server: 'api', method: 'POST', access: ['Admin', 'Ops'] } as const;
  return [
    { ...read, name: 'zone/ips', path: '/zone/ips', handle: listIps },
    { ...read, name: 'zone/recent_ips', path: '/zone/recent_ips', handle: recentIps },
    { ...write, name: 'zone/ips/migrate', path: '/zone/ips/migrate', handle: migrate },
    { ...read, name: 'get_asn', path: '/api/:partner/get_asn', handle: listAsns },
  ];
}

/** Answers the IPs of a zone, or counts them by country if the switch is set (D1). */
function listIps({ inventory, dialect }: World, call: RouteCall): RouteAnswer {
  const zone = queryOf(call, 'zone');
  const { name, value, ignored } = dialect.perCountrySwitch;
  if (!inventory.hasZone(zone)) refuseUnless(dialect.unknownZone === 'empty', zone);
  const listing = inventory.hasZone(zone) ? inventory.listing(zone, findFault(call.faults, 'stale')?.ms) : [];
  const isCounted = call.query[name] === value && !ignored;
  return isCounted ? countsForm(listing, dialect) : listingForm(listing, dialect);
}

/** Answers the recent IPs of one zone, or for `*` those of all zones that have some (D2). */
function recentIps({ zones, dialect, clock }: World, call: RouteCall): RouteAnswer {
  const asked = queryOf(call, 'zones');
  const used = [...zones].filter(([, { recentIps }]) => recentIps).map(([name]) => name);
  const names = asked === '*' ? used : [asked];
  for (const name of names) if (!zones.has(name)) refuseUnless(dialect.unknownZone === 'empty', name);
  const ips = new Map(names.map((name) => [name, zones.get(name)?.recentIps ?? []]));
  return recentIpsForm(ips, dialect, clock());
}

const migrateBody = z.looseObject({
  from: z.string('a zone name is required').min(1, 'a zone name is required'),
  to: z.string('a zone name is required').min(1, 'a zone name is required'),
  ips: z
    .array(z.string('an IPv4 address').refine(isIPv4, 'an IPv4 address'), 'a list of IPs is required')
    .min(1, 'at least one IP is required'),
});

/** Moves IPs from one zone to another (D3). */
function migrate({ inventory, dialect }: World, call: RouteCall): RouteAnswer {
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
  const answer = migrateForm({ from, to, count }, dialect);
  if (moved.length === 0) return answer;
  inventory.migrate(moved, from, to, findFault(call.faults, 'lag')?.lag ?? dialect.listingLag);
  return { ...answer, effect: { moved, from, to } };
}

function refuseUnless(isFine: boolean, zone: string): void {
  if (!isFine) throw new Refusal('unknown-zone', zone);
}

/** Answers the ASNs of a zone. The parameter is the name of a zone, or the account's partner name. */
function listAsns({ account, zones, dialect }: World, call: RouteCall): RouteAnswer {
  const { partner = '' } = call.params;
  const zone = zones.get(partner);
  if (!zone && partner !== account.partnerName) throw new Refusal('unknown-zone', partner);
  return asnsForm(zone?.asns ?? account.asns ?? [], dialect);
}
