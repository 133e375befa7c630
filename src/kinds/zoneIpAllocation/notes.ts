/** Notes for the reviewer of an allocation, beyond its moves. */

import { counted, does } from '../../base/diagnostics/valueWords.ts';
import type { Listings } from '../seam/accountView.ts';
import { sortedIps } from '../seam/ipOrder.ts';
import { inferredProfileNote, type Note } from '../seam/notes.ts';
import { type NoteType, profileInferred } from '../seam/noteTypes.ts';
import { countryChange, type HeldCountry } from './heldCountries.ts';
import type { MigrateBatch } from './solver/model.ts';
import type { ZoneIpAllocationSpec } from './spec.ts';
import { type AllocationState, namesIn } from './state.ts';
import { unclearListingNotes } from './unclearListings.ts';

export const allocationNoteTypes: readonly NoteType[] = [
  { code: 'unmanaged', description: 'A zone holds unmanaged IPs, which are not declared. They stay.', drift: 'strict' },
  { code: 'geolocation-disagrees', description: 'Geolocation databases disagree about the country of an IP.' },
  { code: 'empty-zone', description: 'A zone that is to be filled lists no IPs. Its name may be wrong.' },
  { code: 'protected-not-found', description: 'Protected IPs are in none of the zones of the allocation.' },
  {
    code: 'unclear-listing',
    description: 'A listing is not a whole list of IPv4 addresses. Anything but a list counts as empty.',
  },
  {
    code: 'country-changed',
    description: 'A geolocation database has changed or lost the country of an IP. The IP stays, and counts as before.',
    drift: 'strict',
  },
  { code: 'taken-from-ignored', description: 'A zone takes declared IPs from one that `ignoreChanges` leaves alone.' },
  { code: 'other-moves', description: 'Moves that touch none of the zones of `--zone` are left out.' },
  { code: 'unknown-country', description: 'No geolocation database knows the country of some IPs of a zone.' },
  profileInferred,
];

export function allocationNotes(
  spec: ZoneIpAllocationSpec,
  state: AllocationState,
  batches: readonly MigrateBatch[],
  unmanaged: ReadonlyMap<string, readonly string[]>,
): Note[] {
  const { listings, remarks, inferred, held } = state;
  const clearZones = Object.keys(spec.zones).filter((zone) => remarks.get(zone)?.unclear === undefined);
  return [
    ...inferredProfileNote(inferred),
    ...[...unmanaged].map(([zone, ips]) => unmanagedNote(zone, ips)),
    ...held.flatMap((each) => heldNote(each)),
    ...unknownCountries(spec, listings),
    ...disagreeing(spec, listings, batches),
    ...unclearListingNotes(namesIn(spec), state),
    ...takenFromIgnored(spec, batches),
    ...emptyZones(clearZones, state, batches),
    ...unknownProtected(spec, listings),
  ];
}

/** An IP that another zone declares leaves its zone, also where that is to be left alone. */
function takenFromIgnored({ ignoreChanges }: ZoneIpAllocationSpec, batches: readonly MigrateBatch[]): Note[] {
  return batches.flatMap(({ from, to, moves }): Note[] => {
    if (!ignoreChanges.includes(`zones.${from}`)) return [];
    const text = `${to} takes ${counted(moves.length, 'IP')} from ${from}, which \`ignoreChanges\` leaves alone otherwise`;
    return [{ code: 'taken-from-ignored', text, ips: moves.map(({ ip }) => ip), path: ['zones', to] }];
  });
}

function heldNote(held: HeldCountry): Note[] {
  if (held.as === '') return [];
  const text = `${countryChange(held)}; nothing moved it, so it stays and counts as ${held.as}`;
  return [{ code: 'country-changed', text, ips: [held.ip], path: ['zones', held.zone] }];
}

/** If zones are counted by country, an IP of unknown country counts for none of them. */
function unknownCountries(spec: ZoneIpAllocationSpec, listings: Listings): Note[] {
  const isByCountry = Object.values(spec.zones).some(({ count }) => typeof count === 'object');
  if (!isByCountry) return [];
  return namesIn(spec).flatMap((zone): Note[] => {
    const ips = [...(listings.get(zone) ?? [])].flatMap(([ip, { country }]) => (country === '' ? [ip] : []));
    if (ips.length === 0) return [];
    const text = `${zone} holds ${counted(ips.length, 'IP')} whose country no geolocation database knows: they count for no country`;
    return [{ code: 'unknown-country', text, ips, path: ['zones', zone] }];
  });
}

function unmanagedNote(zone: string, ips: readonly string[]): Note {
  return {
    code: 'unmanaged',
    text: `${zone} holds ${counted(ips.length, 'unmanaged IP')}`,
    ips,
    path: ['zones', zone],
  };
}

/** Reports databases that disagree only where the country matters: for IPs that move, and in zones that are counted by country. */
function disagreeing({ zones }: ZoneIpAllocationSpec, listings: Listings, batches: readonly MigrateBatch[]): Note[] {
  const moving = new Set(batches.flatMap(({ moves }) => moves.map(({ ip }) => ip)));
  const byCountry = new Set(Object.keys(zones).filter((zone) => typeof zones[zone]?.count === 'object'));
  if (moving.size === 0 && byCountry.size === 0) return [];
  return [...listings].flatMap(([zone, listing]) => {
    const torn = listing
      .addressesOf(({ geolocation }) => new Set(Object.values(geolocation)).size > 1)
      .filter((ip) => byCountry.has(zone) || moving.has(ip));
    return torn.map((ip): Note => {
      const said = Object.values(listing.get(ip)?.geolocation ?? {}).join(', ');
      return {
        code: 'geolocation-disagrees',
        text: `${ip} in ${zone}: geolocation databases disagree (${said})`,
        ips: [ip],
      };
    });
  });
}

/** The name of a zone that a run moved IPs into or out of is right. */
function emptyZones(
  zones: readonly string[],
  { listings, limits }: AllocationState,
  batches: readonly MigrateBatch[],
): Note[] {
  const empty = zones.filter(
    (zone) => batches.some(({ to }) => to === zone) && (listings.get(zone)?.size ?? 0) === 0 && !limits.former?.(zone),
  );
  const [first, ...others] = empty;
  if (first === undefined) return [];
  const [verb, fix] =
    others.length === 0
      ? ['lists', 'check the name, because a mistyped one may also list as empty']
      : ['list', 'check the names, because mistyped ones may also list as empty'];
  return [{ code: 'empty-zone', text: `${empty.join(', ')} ${verb} no IPs: ${fix}`, path: ['zones', first] }];
}

/** A mistyped address protects nothing. */
function unknownProtected({ protect }: ZoneIpAllocationSpec, listings: Listings): Note[] {
  const isListed = (ip: string) => [...listings.values()].some((listing) => listing.has(ip));
  const unknown = sortedIps(protect.filter((ip) => !isListed(ip)));
  if (unknown.length === 0) return [];
  const what = unknown.length === 1 ? 'IP' : 'IPs';
  const zones = [...listings.keys()].join(', ');
  const text = `${unknown.length} protected ${what} in none of the zones of this allocation (${zones}): ${unknown.join(', ')}`;
  return [{ code: 'protected-not-found', text, ips: unknown }];
}

export function otherMovesNote(leftOut: number): Note[] {
  if (leftOut === 0) return [];
  const text = `${does(leftOut, 'move', 'touches', 'touch')} none of these zones: without --zone, ${leftOut === 1 ? 'it is' : 'they are'} made too`;
  return [{ code: 'other-moves', text }];
}
