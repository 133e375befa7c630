/**
 * Static IPs by zone, and their listings. An IP is in exactly one zone. A lagging listing shows the actual contents without the moves
 * that are not visible yet.
 */

import { z } from 'zod';

/** Two-letter country codes, one for each of the four geolocation databases (D1). */
export type Countries = readonly [string, string, string, string];

export interface Address {
  readonly ip: string;
  readonly countries: Countries;
}

/** Lag of listings after a migration: milliseconds, or a number of listings of the zone. */
export type Lag = { ms: number } | { listings: number };

interface HiddenMove {
  ips: readonly string[];
  from: string;
  to: string;
  /** Time in milliseconds since the epoch, or the number of listings of each of the two zones that do not show the move yet. */
  until: { time: number } | { left: Map<string, number> };
}

export class Inventory {
  readonly #clock: () => Date;
  readonly #zones = new Map<string, Set<string>>();
  readonly #addresses = new Map<string, { zone: string; countries: Countries }>();
  /** The contents of zones that have not changed since. */
  readonly #contents = new Map<string, readonly Address[]>();
  #hidden: HiddenMove[] = [];
  /** Moves of the last minutes, for listings of an earlier state. */
  #past: { ip: string; from: string; to: string; time: number }[] = [];

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  addZone(zone: string): void {
    this.#zones.set(zone, new Set());
  }

  hasZone(zone: string): boolean {
    return this.#zones.has(zone);
  }

  /** Returns the zone that actually holds an IP. */
  zoneOf(ip: string): string | undefined {
    return this.#addresses.get(ip)?.zone;
  }

  add(zone: string, addresses: Iterable<Address>): void {
    this.#contents.delete(zone);
    for (const { ip, countries } of addresses) {
      this.#addresses.set(ip, { zone, countries });
      this.#ipsOf(zone).add(ip);
    }
  }

  remove(ips: Iterable<string>): void {
    for (const ip of ips) {
      const zone = this.zoneOf(ip);
      if (zone === undefined) continue;
      this.#contents.delete(zone);
      this.#ipsOf(zone).delete(ip);
      this.#addresses.delete(ip);
    }
  }

  /** Moves IPs from any zone; the next listing shows it. */
  relocate(ips: Iterable<string>, to: string): void {
    this.#contents.delete(to);
    const time = this.#clock().getTime();
    // Twice the age, so that the moves are looked through rarely.
    if ((this.#past[0]?.time ?? time) < time - 2 * rememberedMs)
      this.#past = this.#past.filter((move) => move.time > time - rememberedMs);
    for (const ip of ips) {
      const address = this.#addresses.get(ip);
      if (!address) continue;
      this.#contents.delete(address.zone);
      this.#past.push({ ip, from: address.zone, to, time });
      this.#ipsOf(address.zone).delete(ip);
      this.#ipsOf(to).add(ip);
      address.zone = to;
    }
  }

  /** Moves IPs that are all in `from`. Listings of both zones show it after the lag. */
  migrate(ips: readonly string[], from: string, to: string, lag: Lag): void {
    this.relocate(ips, to);
    const until =
      'ms' in lag
        ? { time: this.#clock().getTime() + lag.ms }
        : { left: new Map([from, to].map((zone) => [zone, lag.listings])) };
    this.#hidden.push({ ips, from, to, until });
    this.#forgetVisible();
  }

  /** Returns the actual contents of a zone, even if its listing lags: the same list until something changes. */
  contents(zone: string): readonly Address[] {
    const known = this.#contents.get(zone) ?? this.#describe(this.#ipsOf(zone));
    this.#contents.set(zone, known);
    return known;
  }

  /** Returns the listing of a zone (D1), or that of `ageMs` ago. Counts as one listing for lags in listings. */
  listing(zone: string, ageMs = 0): readonly Address[] {
    if (ageMs > 0) return this.#describe(this.#ipsAt(zone, this.#clock().getTime() - ageMs));
    this.#forgetVisible();
    const unseen = this.#hidden.filter((move) => isHiddenFrom(zone, move));
    if (unseen.length === 0) return this.contents(zone);

    const shown = new Set(this.#ipsOf(zone));
    for (const { ips, from } of unseen.toReversed()) {
      for (const ip of ips) {
        if (zone === from) shown.add(ip);
        else shown.delete(ip);
      }
    }
    for (const { until } of unseen) if ('left' in until) until.left.set(zone, (until.left.get(zone) ?? 0) - 1);
    return this.#describe(shown);
  }

  #ipsAt(zone: string, time: number): Set<string> {
    const ips = new Set(this.#ipsOf(zone));
    for (const { ip, from, to } of this.#past.filter((move) => move.time > time).toReversed()) {
      if (zone === from) ips.add(ip);
      else if (zone === to) ips.delete(ip);
    }
    return ips;
  }

  #describe(ips: Iterable<string>): Address[] {
    const described: Address[] = [];
    for (const ip of ips) {
      const address = this.#addresses.get(ip);
      if (address) described.push({ ip, countries: address.countries });
    }
    return described;
  }

  #ipsOf(zone: string): Set<string> {
    const ips = this.#zones.get(zone);
    if (!ips) throw new Error(`zone ${zone} does not exist: callers must check hasZone first`);
    return ips;
  }

  #forgetVisible(): void {
    const now = this.#clock().getTime();
    this.#hidden = this.#hidden.filter(({ until }) =>
      'time' in until ? until.time > now : [...until.left.values()].some((left) => left > 0),
    );
  }
}

/** Maximum age of listings. */
const rememberedMs = 600_000;

function isHiddenFrom(zone: string, { from, to, until }: HiddenMove): boolean {
  if (zone !== from && zone !== to) return false;
  return 'time' in until || (until.left.get(zone) ?? 0) > 0;
}

/** Lag of a listing: `{ms: 500}` or `{listings: 2}`. */
export const lagSchema = z.union(
  [
    z.strictObject({
      ms: z.number().nonnegative().describe('Time in milliseconds for which the old listing is served.'),
    }),
    z.strictObject({
      listings: z.int().nonnegative().describe('Number of listings of a zone that still show the old state.'),
    }),
  ],
  'must be {ms: 500} or {listings: 2}',
);

export const statusSchema = z.int().min(200).max(599);
