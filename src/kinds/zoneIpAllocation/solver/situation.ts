/** The zone of each IP, and the IPs that this allocation may move. */
import { renderFix } from '../../../base/diagnostics/fix.ts';
import type { Problem } from '../../../base/diagnostics/problem.ts';
import { memoized } from '../../../base/values/memoized.ts';
import { AddressMap } from '../../seam/addressMap.ts';
import { sortedIps } from '../../seam/ipOrder.ts';
import type { Move } from '../../seam/move.ts';
import type { Allocation, Limits, Live, Neighbourhood } from './model.ts';

/** IP → the zone that lists it. `repeated` has the IPs that several zones list, because listings lag. */
type Places = AddressMap<string>;

/** Memoized, because several plans may be made from the same live account, which never changes. */
export const placesOf: (live: Live) => Places = memoized((live) =>
  AddressMap.joined([...live].map(([zone, ips]) => [zone, tableOf(ips)])),
);

function tableOf(ips: ReadonlyMap<string, string>): AddressMap<string> {
  return ips instanceof AddressMap ? ips : AddressMap.of(ips);
}

/** IP → the zone that declares it by address. Several plans may be made for the same zones. */
export const declaredBy = memoized(({ zones }: Allocation) =>
  AddressMap.filled<string>((add) => {
    for (const [zone, { ips }] of zones) for (const ip of ips) add(ip, zone);
  }),
);

export class Situation {
  readonly problems: Problem[] = [];
  readonly allocation: Allocation;
  readonly #live: Live;
  readonly #neighbours: Neighbourhood;
  readonly #lost: ReadonlySet<string>;
  readonly #held: ReadonlySet<string>;
  readonly #places: Places;
  readonly #zones: string;
  /** IP → the zone of this allocation that declares it. */
  readonly #declared: AddressMap<string>;

  constructor(allocation: Allocation, live: Live, neighbours: Neighbourhood, limits: Limits) {
    const { lost = new Set(), held = new Set() } = limits;
    this.allocation = allocation;
    this.#live = live;
    this.#neighbours = neighbours;
    this.#lost = lost;
    this.#held = held;
    this.#places = placesOf(live);
    this.#zones = [...live.keys()].join(', ');
    this.#declared = declaredBy(allocation);
  }

  declaredMoves(): Move[] {
    const moves: Move[] = [];
    for (const [zone, { ips }] of this.allocation.zones) {
      ips.forEach((ip, index) => {
        const from = this.#placeOfDeclared(ip, zone, index);
        if (from && from !== zone) moves.push({ ip, country: this.countryOf(ip), from, to: zone, reason: 'declared' });
      });
    }
    return moves;
  }

  #placeOfDeclared(ip: string, zone: string, index: number): string | undefined {
    const place = this.#places.get(ip);
    const places = this.#places.repeated.get(ip);
    const path = () => ['zones', zone, 'ips', index];
    if (place === undefined) this.problems.push(notFound(ip, path(), this.#zones));
    else if (places) this.problems.push(seenTwice(ip, path(), places));
    else if (place !== zone && this.#lost.has(ip)) this.problems.push(takenByOther(ip, path(), place));
    else if (place !== zone && this.#neighbours.protect.has(ip))
      this.problems.push(protectedByOther(ip, path(), place));
    else return place;
    return undefined;
  }

  /** Returns the IPs in the zone that are not declared by address, here or in another zone; `free` by country. */
  residents(zone: string): { free: ReadonlyMap<string, string[]>; pinned: string[] } {
    const listing = this.#live.get(zone) ?? new Map<string, string>();
    const free: string[] = [];
    const pinned: string[] = [];
    for (const ip of tableOf(listing).addressesOutside(this.#declared)) {
      if (this.#neighbours.declared.has(ip)) continue;
      (this.#mayMove(ip) ? free : pinned).push(ip);
    }
    return { free: Map.groupBy(sortedIps(free), (ip) => listing.get(ip) ?? ''), pinned };
  }

  /** Returns true if an IP that the zone lists is there after the declared moves. */
  willBeIn(ip: string, zone: string): boolean {
    const place = this.#places.get(ip);
    const places = this.#places.repeated.get(ip);
    if (places) return places.includes(zone);
    return place === zone || (place !== undefined && !this.#lost.has(ip));
  }

  countryOf(ip: string): string {
    const place = this.#places.get(ip);
    return (place !== undefined && this.#live.get(place)?.get(ip)) || '';
  }

  #mayMove(ip: string): boolean {
    if (this.allocation.protect.has(ip) || this.#neighbours.protect.has(ip) || this.#lost.has(ip)) return false;
    return !this.#held.has(ip) && !this.#places.repeated.has(ip);
  }
}

/** Returns the fault of one IP. `fault` follows `is` or `are`. */
export function faultOfIp(ip: string, fault: string): Pick<Problem, 'found' | 'value'> {
  return { found: `${ip} is ${fault}`, value: { text: ip, noun: 'IP', are: `are ${fault}` } };
}

function notFound(ip: string, path: PropertyKey[], zones: string): Problem {
  return {
    code: 'ip-not-found',
    path,
    ...faultOfIp(ip, `in none of the zones that were listed (${zones})`),
    allowed: 'an IP that the account holds',
    ...renderFix(
      ({ acceptLive }) =>
        `if the service retired or replaced it, ${acceptLive}; otherwise correct the address, or name the zone that holds it under \`sources\``,
    ),
  };
}

export function seenTwice(ip: string, path: PropertyKey[], places: readonly string[]): Problem {
  return {
    code: 'ip-seen-twice',
    path,
    ...faultOfIp(ip, `listed in ${places.join(' and ')} at once`),
    allowed: 'an IP that is in one zone',
    fix: 'wait until the listings agree, then run again',
  };
}

function takenByOther(ip: string, path: PropertyKey[], place: string): Problem {
  return {
    code: 'ip-taken',
    path,
    found: `${ip} was moved to ${place} by another user during this run`,
    value: { text: ip, noun: 'IP', are: `were moved to ${place} by another user during this run` },
    allowed: 'IPs that no other user moves',
    fix: 'find out who moves it, then run again',
  };
}

function protectedByOther(ip: string, path: PropertyKey[], place: string): Problem {
  return {
    code: 'protected-elsewhere',
    path,
    found: `${ip} is in ${place}, and another allocation protects it`,
    value: { text: ip, noun: 'IP', are: `are in ${place}, and another allocation protects them` },
    allowed: 'moves of a protected IP only into the zone that declares it',
    fix: 'take it out of `protect` there first',
  };
}
