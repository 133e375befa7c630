/** The zones whose number of IPs changes, in total and country by country. */

import type { ResourcePlan } from '../../engine/plan/plan.ts';
import type { ZoneInventory } from '../../kinds/kind.ts';

/** A country should have two letters, so longer values of the service are cut. */
export const longestCountry = 20;

export interface ZoneChange {
  zone: string;
  before: number;
  after: number;
  /** The countries that change. */
  countries: ZoneInventory['countries'];
  /** True if the zone holds IPs of no other country, before or after. */
  isOneCountry: boolean;
}

export function zoneChanges({ inventory = [] }: Pick<ResourcePlan, 'inventory'>): ZoneChange[] {
  return inventory.flatMap(({ zone, countries }) => {
    const changed = countries.filter(({ before, after }) => before !== after);
    if (changed.length === 0) return [];
    const sum = (side: 'before' | 'after') => countries.reduce((total, country) => total + country[side], 0);
    return [
      { zone, before: sum('before'), after: sum('after'), countries: changed, isOneCountry: countries.length === 1 },
    ];
  });
}
