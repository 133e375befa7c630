/**
 * Fewer calls for the same number of moves. Which pairs of zones suffice is a fixed-charge transport problem, hard in general:
 * small problems are solved exactly, larger ones only lose pairs that are not needed, and very large ones keep the pairs they have.
 */
import { PairSet, type Shipment } from './pairs.ts';
import { type Load, type Pair, sum, type TransportProblem } from './transport.ts';

/** The most work for one plan, counted in flows and not in time, so that the same input always gives the same plan. */
const budget = { pairsToDrop: 64, pairsToSearch: 40, flows: 4_000 };

/** `free` pairs need a call anyway, so using them costs nothing; `paired` is a known solution. */
export function withFewestCalls(
  transport: () => TransportProblem,
  free: readonly Pair[],
  paired: readonly Shipment[],
): readonly Shipment[] {
  const known = costly(paired, free);
  if (known.length > budget.pairsToDrop) return paired;
  const search = new Search(transport(), free);
  const fewer = search.dropNeedless(known);
  const fewest = search.fewerThan(fewer.length) ?? fewer;
  return fewest.length < known.length ? (search.shipThrough(fewest) ?? paired) : paired;
}

class Search {
  readonly #transport: TransportProblem;
  readonly #free: readonly Pair[];
  /** Pairs that could be used and are not free. */
  readonly #candidates: readonly Pair[];
  readonly #capacity = new Map<Pair, number>();
  /** Loads, minus the amounts that the free pairs can carry. */
  readonly #loads: readonly Load[];
  #flows = budget.flows;

  constructor(transport: TransportProblem, free: readonly Pair[]) {
    this.#transport = transport;
    this.#free = free;
    this.#candidates = costly(transport.lanes, free);
    const capacities = new Map<string, number>();
    const pairKey = ({ from, to }: Pair) => JSON.stringify([from, to]);
    for (const lane of transport.lanes)
      capacities.set(pairKey(lane), (capacities.get(pairKey(lane)) ?? 0) + lane.capacity);
    const capacityOf = (pair: Pair) => capacities.get(pairKey(pair)) ?? 0;
    for (const pair of this.#candidates) this.#capacity.set(pair, capacityOf(pair));
    const freely = distinct(free).map((pair) => ({ ...pair, capacity: capacityOf(pair) }));
    this.#loads = joined(transport.loads).map((load) => {
      const carried = freely.filter((pair) => pair[load.end] === load.zone).map((pair) => pair.capacity);
      return { ...load, amount: load.amount - sum(carried) };
    });
  }

  shipThrough(pairs: readonly Pair[]): Shipment[] | undefined {
    return this.#transport.shipThrough(new PairSet([...this.#free, ...pairs]));
  }

  dropNeedless(pairs: readonly Pair[]): readonly Pair[] {
    let kept = pairs;
    for (const pair of pairs) {
      const without = kept.filter((other) => other !== pair);
      if (this.shipThrough(without)) kept = without;
    }
    return kept;
  }

  /**
   * Returns the fewest pairs that suffice, if they are fewer than `known`. Tries sets of one pair, then of two, and so on, until the budget
   * is used up.
   */
  fewerThan(known: number): readonly Pair[] | undefined {
    if (this.#candidates.length > budget.pairsToSearch) return undefined;
    for (let size = this.#atLeast([], 0); size < known && this.#flows > 0; size++) {
      const found = this.#extend([], 0, size);
      if (found) return found;
    }
    return undefined;
  }

  #extend(chosen: readonly Pair[], next: number, size: number): readonly Pair[] | undefined {
    if (chosen.length + this.#atLeast(chosen, next) > size) return undefined;
    if (this.#suffices(chosen)) return chosen;
    const candidate = this.#candidates[next];
    if (!candidate || chosen.length === size) return undefined;
    if (!this.#suffices([...chosen, ...this.#candidates.slice(next)])) return undefined;
    return this.#extend([...chosen, candidate], next + 1, size) ?? this.#extend(chosen, next + 1, size);
  }

  #suffices(pairs: readonly Pair[]): boolean {
    if (this.#flows === 0) return false;
    this.#flows -= 1;
    return this.shipThrough(pairs) !== undefined;
  }

  /**
   * Returns a lower bound: at least this many of the candidates from `next` on are still needed, because a pair has only one giver and one
   * taker.
   */
  #atLeast(chosen: readonly Pair[], next: number): number {
    const open = this.#candidates.slice(next);
    const missing = (load: Load) => {
      const capacities = (pairs: readonly Pair[]) =>
        pairs.filter((pair) => pair[load.end] === load.zone).map((pair) => this.#capacity.get(pair) ?? 0);
      return howMany(capacities(open), load.amount - sum(capacities(chosen)));
    };
    const ofEnd = (end: Load['end']) => sum(this.#loads.filter((load) => load.end === end).map(missing));
    return Math.max(ofEnd('from'), ofEnd('to'));
  }
}

/** Returns how many of these capacities, the largest first, add up to the amount. */
function howMany(capacities: number[], amount: number): number {
  let rest = amount;
  let count = 0;
  for (const capacity of capacities.toSorted((a, b) => b - a)) {
    if (rest <= 0) return count;
    rest -= capacity;
    count += 1;
  }
  return rest > 0 ? count + 1 : count;
}

function joined(loads: readonly Load[]): Load[] {
  const byZone = Map.groupBy(loads, ({ end, zone }) => `${end} ${zone}`);
  return [...byZone.values()].flatMap(([first, ...rest]) =>
    first ? [{ ...first, amount: first.amount + sum(rest.map(({ amount }) => amount)) }] : [],
  );
}

/** Pairs that cost a call. */
function costly(pairs: readonly Pair[], free: readonly Pair[]): Pair[] {
  const used = new PairSet(free);
  return distinct(pairs).filter(({ from, to }) => !used.has(from, to));
}

function distinct(pairs: readonly Pair[]): Pair[] {
  const seen = new PairSet();
  const result: Pair[] = [];
  for (const { from, to } of pairs) {
    if (seen.has(from, to)) continue;
    seen.add({ from, to });
    result.push({ from, to });
  }
  return result;
}
