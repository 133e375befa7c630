/** The zones of an allocation and their IPs, in total and country by country, before and after the calls. */
import { formatNumber, shorten } from '../../base/diagnostics/valueWords.ts';
import type { ZoneInventory } from '../../kinds/seam/kind.ts';
import type { Move } from '../../kinds/seam/move.ts';
import { listed, type Style } from './style.ts';

export interface IpCounts {
  before: number;
  after: number;
  /** The number after all planned calls. A run that did not make all of them has another `after`. */
  planned: number;
}

export interface ReportedCountry extends IpCounts {
  country: string;
}

export interface ReportedZone extends IpCounts {
  zone: string;
  countries: readonly ReportedCountry[];
}

/** Returns all zones. `moved` are the moves that a run is known to have carried out. */
export function reportedZones(inventory: readonly ZoneInventory[] = [], moved?: readonly Move[]): ReportedZone[] {
  const known = moved && changesBy(moved);
  return inventory.map(({ zone, countries: perCountry }) => {
    const countries = perCountry.map(({ country, before, after: planned }) => {
      const after = known ? before + (known.get(zoneCountryKey(zone, country)) ?? 0) : planned;
      return { country: countryName(country), before, after, planned };
    });
    const sum = (field: keyof IpCounts) => countries.reduce((total, each) => total + each[field], 0);
    return { zone, before: sum('before'), after: sum('after'), planned: sum('planned'), countries };
  });
}

/** Returns the zones whose IPs change, in total or of a country. */
export function changedZones(inventory?: readonly ZoneInventory[]): ReportedZone[] {
  return reportedZones(inventory).filter(({ countries }) => countries.some(hasChange));
}

export function hasChange({ before, after, planned }: IpCounts): boolean {
  return before !== after || before !== planned;
}

/** Describes the countries that change: `us 12 → 10`. The numbers of a single country are those of the zone, and are left out. */
export function countryWords({ countries }: ReportedZone, style: Style): string[] {
  const changes = countries.filter(hasChange).map(({ country, before, after }) => {
    if (countries.length === 1) return style.paint.dim(country);
    return `${country} ${formatNumber(before)} → ${formatNumber(after)}`;
  });
  return listed(changes, style);
}

/** A country should have two letters, so longer values of the service are cut. */
const longestCountry = 20;

export function countryName(country: string): string {
  return shorten(country || 'unknown', longestCountry);
}

/** Counts how the moves change the number of IPs, by zone and country. */
function changesBy(moves: readonly Move[]): ReadonlyMap<string, number> {
  const changes = new Map<string, number>();
  const add = (zone: string, country: string, count: number) => {
    const key = zoneCountryKey(zone, country);
    changes.set(key, (changes.get(key) ?? 0) + count);
  };
  for (const { from, to, country } of moves) {
    add(from, country, -1);
    add(to, country, 1);
  }
  return changes;
}

/** Printable names have no line break. */
function zoneCountryKey(zone: string, country: string): string {
  return `${zone}\n${country}`;
}
