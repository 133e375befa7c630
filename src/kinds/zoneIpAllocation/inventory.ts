/** The number of IPs in the zones of an allocation, by country, before and after its moves. */

import type { Listings } from '../seam/accountView.ts';
import type { ZoneInventory } from '../seam/kind.ts';
import type { MigrateBatch } from './solver/model.ts';
import type { ZoneIpAllocationSpec } from './spec.ts';
import { namesIn } from './state.ts';

/** Lists the zones of the declaration in its order, then other zones that the moves touch. */
export function inventoryOf(
  spec: ZoneIpAllocationSpec,
  listings: Listings,
  batches: readonly MigrateBatch[],
): ZoneInventory[] {
  const touched = batches.flatMap(({ from, to }) => [from, to]);
  const zones = new Map([...namesIn(spec), ...touched].map((zone) => [zone, new Map<string, Held>()]));
  const heldIn = (zone: string, country: string): Held => {
    const countries = zones.get(zone);
    const held = countries?.get(country) ?? { before: 0, after: 0 };
    countries?.set(country, held);
    return held;
  };
  for (const zone of zones.keys()) {
    for (const [{ country }, count] of listings.get(zone)?.counts() ?? []) {
      const held = heldIn(zone, country);
      held.before += count;
      held.after += count;
    }
  }
  for (const { from, to, country } of batches.flatMap(({ moves }) => moves)) {
    heldIn(from, country).after -= 1;
    heldIn(to, country).after += 1;
  }
  return [...zones].map(([zone, countries]) => ({ zone, path: pathOf(zone, spec), countries: inOrder(countries) }));
}

function pathOf(zone: string, { zones, spare, sources }: ZoneIpAllocationSpec): PropertyKey[] | undefined {
  if (Object.hasOwn(zones, zone)) return ['zones', zone];
  if (zone === spare) return ['spare'];
  const index = sources.indexOf(zone);
  return index === -1 ? undefined : ['sources', index];
}

interface Held {
  before: number;
  after: number;
}

function inOrder(countries: ReadonlyMap<string, Held>): ZoneInventory['countries'] {
  return [...countries]
    .map(([country, held]) => ({ country, ...held }))
    .sort((a, b) => (a.country < b.country ? -1 : 1));
}
