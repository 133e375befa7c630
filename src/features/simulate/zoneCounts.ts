/** The numbers of IPs by country in the zones of a copy, before and after each call. */

import type { ListedIp, Listings } from '../../kinds/accountView.ts';
import type { Call } from '../../kinds/call.ts';
import type { ZoneInventory } from '../../kinds/kind.ts';
import { callTypeOf } from '../../kinds/knownCalls.ts';

type Counts = Map<string, number>;

/** Follows the IPs of each call, because counting whole zones would take longer than the calls. */
export class ZoneCounts {
  readonly #counts: ReadonlyMap<string, Counts>;
  readonly #zoneOf: (ip: string) => string | undefined;

  /** `zoneOf` returns the zone that holds an IP now. */
  constructor(listings: Listings, zoneOf: (ip: string) => string | undefined) {
    this.#counts = new Map([...listings].map(([zone, listing]) => [zone, countsOf(listing.values())]));
    this.#zoneOf = zoneOf;
  }

  /** Must be called before a call. Returns a function that compares the zones that the call may have changed. */
  before(call: Call): () => ZoneInventory[] {
    const flow = callTypeOf(call).flow(call);
    if (flow === undefined) return () => [];
    const before = [flow.to, flow.from].map((zone) => [zone, new Map(this.#counts.get(zone))] as const);
    const moves = flow.moves.map(({ ip, country }) => ({ ip, country, from: this.#zoneOf(ip) }));
    return () => {
      for (const { ip, country, from } of moves) {
        const to = this.#zoneOf(ip);
        if (to === from) continue;
        this.#add(from, country, -1);
        this.#add(to, country, 1);
      }
      return before.map(([zone, counts]) => ({ zone, countries: compared(counts, this.#counts.get(zone)) }));
    };
  }

  #add(zone: string | undefined, country: string, change: number): void {
    const counts = zone === undefined ? undefined : this.#counts.get(zone);
    counts?.set(country, (counts.get(country) ?? 0) + change);
  }
}

function countsOf(ips: Iterable<ListedIp>): Counts {
  const counts: Counts = new Map();
  for (const { country } of ips) counts.set(country, (counts.get(country) ?? 0) + 1);
  return counts;
}

/** Leaves out countries without IPs. */
function compared(before: Counts, after: Counts = new Map()): ZoneInventory['countries'] {
  const countries = [...new Set([...before.keys(), ...after.keys()])].sort();
  return countries
    .map((country) => ({ country, before: before.get(country) ?? 0, after: after.get(country) ?? 0 }))
    .filter((its) => its.before > 0 || its.after > 0);
}
