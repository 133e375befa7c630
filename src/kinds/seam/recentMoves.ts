/**
 * Moves that took effect so recently that a listing may not show them yet, though an earlier listing did: read replicas can answer
 * with an older state. A listing that contradicts such a move is read again before anything is planned on it. Older moves show which IPs a zone
 * held before.
 */

import { memoized } from '../../base/values/memoized.ts';
import { AddressMap } from './addressMap.ts';
import type { Flow } from './callType.ts';

/** Zone → IP → its entry, which does not matter here. */
type Listings = ReadonlyMap<string, AddressMap<unknown>>;

interface RecentMove {
  to: string;
  /** The zones that the IP left, on its way to `to`. */
  past: ReadonlySet<string>;
  /** Until then, a listing may be older than the move. On the clock of `performance.now()`, which no one sets. */
  until: number;
}

export class RecentMoves {
  readonly #moves = new Map<string, RecentMove>();
  /** Zone → the IPs that left it, those that left last at the end. */
  readonly #left = new Map<string, Set<string>>();

  /** Listings that are read before `until` may be older than these moves. */
  add({ from, to }: Pick<Flow, 'from' | 'to'>, ips: Iterable<string>, until: number): void {
    const left = this.#left.get(from) ?? new Set();
    this.#left.set(from, left).set(to, this.#left.get(to) ?? new Set());
    for (const ip of ips) {
      left.delete(ip);
      left.add(ip);
      const past = new Set([...(this.#moves.get(ip)?.past ?? []), from]);
      past.delete(to);
      this.#moves.set(ip, { to, past, until });
    }
  }

  /** Returns the IPs that left the zone, those that left last first. Undefined for a zone that no move touched. */
  leftBy(zone: string): string[] | undefined {
    const left = this.#left.get(zone);
    return left && [...left].reverse();
  }

  /** Forgets what is known of IPs, because another call may move them on. */
  forget(ips: Iterable<string>): void {
    for (const ip of ips) this.#moves.delete(ip);
  }

  /** Returns the time until which the listings must be read again because they contradict a move. Undefined if they contradict none. */
  contradictedUntil(listings: Listings, now: number): number | undefined {
    let latest: number | undefined;
    for (const [ip, move] of this.#moves) {
      if (move.until > Math.max(now, latest ?? 0) && contradicts(ip, move, listings)) latest = move.until;
    }
    return latest;
  }
}

/**
 * Returns true if the listings are older than the move. An IP in any zone other than those it came from was moved on by another user, so
 * such a listing is not older.
 */
function contradicts(ip: string, { to, past }: RecentMove, listings: Listings): boolean {
  for (const zone of past) if (listings.get(zone)?.has(ip)) return true;
  const target = listings.get(to);
  return target !== undefined && !target.has(ip) && !ipsOf(listings).has(ip);
}

/** The IPs of all zones. Only a move that its own zones do not explain needs them, and there may be many zones. */
const ipsOf = memoized((listings: Listings) => AddressMap.joined(listings));
