/** Assigns givers to takers: amounts per country become shipments between pairs of zones. One pair is one `migrate` call. */
import type { Filling } from './fill.ts';

/** A number of IPs of one country that move from one zone to another. */
export interface Shipment {
  from: string;
  to: string;
  country: string;
  amount: number;
}

/** A set of ordered (from, to) pairs of zones. */
export class PairSet {
  readonly #targets = new Map<string, Set<string>>();

  constructor(pairs: Iterable<{ from: string; to: string }> = []) {
    for (const pair of pairs) this.add(pair);
  }

  add({ from, to }: { from: string; to: string }): void {
    const targets = this.#targets.get(from);
    if (targets) targets.add(to);
    else this.#targets.set(from, new Set([to]));
  }

  has(from: string, to: string): boolean {
    return this.#targets.get(from)?.has(to) ?? false;
  }
}

/**
 * Assigns givers to takers in their order, country by country. Each country needs at most givers + takers - 1 pairs. Pairs in `used` move IPs already, so they cost no call and come first; those chosen for one country are used for the next.
 */
export function pairOff(filling: Filling, spare: string | undefined, used: PairSet): Shipment[] {
  const giving = Map.groupBy([...filling.given, ...filling.leftOver], ({ supply }) => supply.country);
  return [...giving.keys()].flatMap((country) => {
    const givers = sumByZone((giving.get(country) ?? []).map(({ supply, amount }) => ({ zone: supply.zone, amount })));
    const received = filling.received.filter((taken) => taken.country === country);
    const leftOver = filling.leftOver.filter(({ supply }) => supply.country === country);
    const takers = sumByZone([
      ...received.map(({ deficit, amount }) => ({ zone: deficit.zone, amount })),
      ...(spare === undefined ? [] : leftOver.map(({ amount }) => ({ zone: spare, amount }))),
    ]);
    return shipCountry(country, givers, takers, used);
  });
}

interface Side {
  zone: string;
  rest: number;
}

function sumByZone(amounts: readonly { zone: string; amount: number }[]): Side[] {
  const rest = new Map<string, number>();
  for (const { zone, amount } of amounts) rest.set(zone, (rest.get(zone) ?? 0) + amount);
  return [...rest].map(([zone, amount]) => ({ zone, rest: amount }));
}

function shipCountry(country: string, givers: Side[], takers: Side[], used: PairSet): Shipment[] {
  const shipments: Shipment[] = [];
  const ship = (giver: Side, taker: Side) => {
    const amount = Math.min(giver.rest, taker.rest);
    if (amount === 0) return;
    giver.rest -= amount;
    taker.rest -= amount;
    const shipment = { from: giver.zone, to: taker.zone, country, amount };
    used.add(shipment);
    shipments.push(shipment);
  };
  for (const giver of givers) for (const taker of takers) if (used.has(giver.zone, taker.zone)) ship(giver, taker);
  for (const giver of givers) for (const taker of takers) ship(giver, taker);
  return shipments;
}
