/**
 * The order of calls that keeps every floor (`keepAtLeast`) after each call. A zone that can give all its required IPs goes first, which never
 * makes the rest harder. The order of the rest is found by a search. Zones that wait for each other in a cycle have no order.
 */

interface Transfer {
  from: string;
  to: string;
  moves: readonly unknown[];
}

export type Sizes = ReadonlyMap<string, number>;

type Ordering<Batch> = { batches: Batch[]; blocked?: undefined } | { blocked: Blocked };

/** No order exists: `zone` would be left with `left` IPs, below its `floor`. */
interface Blocked {
  zone: string;
  floor: number;
  left: number;
  /** The zones that wait for each other, the first one again at the end; empty where the last state itself breaks the floor. */
  cycle: string[];
}

/** The most states that the search visits. A count and not a time, so that the same input always gives the same answer. */
const searchBudget = 20_000;

export function ordered<Batch extends Transfer>(
  batches: readonly Batch[],
  live: Sizes,
  floors: Sizes,
): Ordering<Batch> {
  const sizes = new Map(live);
  const { safe, rest } = safeFirst(batches, sizes, floors);
  const found = greedy(rest, sizes, floors) ?? search(rest, sizes, floors);
  return found ? { batches: [...safe, ...found] } : { blocked: explain(rest, sizes, floors) };
}

/**
 * Takes all batches of a zone that keeps its floor even after the last of them, and repeats this while there is such a zone. Changes
 * `sizes`.
 */
function safeFirst<Batch extends Transfer>(batches: readonly Batch[], sizes: Map<string, number>, floors: Sizes) {
  const waiting = Map.groupBy(batches, (batch) => batch.from);
  const safe: Batch[] = [];
  for (let progress = true; progress; ) {
    progress = false;
    for (const [zone, batches] of [...waiting]) {
      const leaving = batches.reduce((sum, { moves }) => sum + moves.length, 0);
      if (floors.has(zone) && (sizes.get(zone) ?? 0) - leaving < (floors.get(zone) ?? 0)) continue;
      for (const batch of batches) transfer(sizes, batch);
      safe.push(...batches);
      waiting.delete(zone);
      progress = true;
    }
  }
  return { safe, rest: batches.filter((batch) => waiting.has(batch.from)) };
}

/** Orders the batches by always taking the first one that can be sent. This nearly always succeeds, even for many batches. */
function greedy<Batch extends Transfer>(batches: readonly Batch[], start: Sizes, floors: Sizes): Batch[] | undefined {
  const { made, waiting } = makeAll(batches, start, floors);
  return waiting.length === 0 ? made : undefined;
}

function makeAll<Batch extends Transfer>(batches: readonly Batch[], start: Sizes, floors: Sizes) {
  const sizes = new Map(start);
  const made: Batch[] = [];
  let waiting = [...batches];
  for (let progress = true; progress; ) {
    const before = made.length;
    waiting = waiting.filter((batch) => {
      if (breaksFloor(batch, sizes, floors)) return true;
      transfer(sizes, batch);
      made.push(batch);
      return false;
    });
    progress = made.length > before;
  }
  return { made, waiting, sizes };
}

/** The search is recursive, and more batches could overflow the stack. */
const searchDepth = 500;

function search<Batch extends Transfer>(batches: readonly Batch[], start: Sizes, floors: Sizes): Batch[] | undefined {
  if (batches.length > searchDepth) return undefined;
  const visited = new Set<string>();
  const finish = (waiting: readonly number[], sizes: Sizes): Batch[] | undefined => {
    if (waiting.length === 0) return [];
    const state = waiting.join();
    if (visited.has(state) || visited.size === searchBudget) return undefined;
    visited.add(state);
    for (const index of waiting) {
      const batch = batches[index];
      if (!batch || breaksFloor(batch, sizes, floors)) continue;
      const after = new Map(sizes);
      transfer(after, batch);
      const rest = finish(
        waiting.filter((other) => other !== index),
        after,
      );
      if (rest) return [batch, ...rest];
    }
    return undefined;
  };
  return finish([...batches.keys()], start);
}

export function breaksFloor(batch: Transfer, sizes: Sizes, floors: Sizes): boolean {
  const floor = floors.get(batch.from);
  return floor !== undefined && leftAfter(batch, sizes) < floor;
}

export function leftAfter({ from, moves }: Transfer, sizes: Sizes): number {
  return (sizes.get(from) ?? 0) - moves.length;
}

export function transfer(sizes: Map<string, number>, batch: Transfer): void {
  sizes.set(batch.from, leftAfter(batch, sizes));
  sizes.set(batch.to, (sizes.get(batch.to) ?? 0) + batch.moves.length);
}

/**
 * Explains why there is no order. Takes all batches that can be sent, then follows blocked zones: from each to a zone that would have to
 * give to it first, until a zone repeats.
 */
function explain(batches: readonly Transfer[], start: Sizes, floors: Sizes): Blocked {
  const { waiting, sizes } = makeAll(batches, start, floors);
  const zone = waiting[0]?.from ?? '';
  const blocked = { zone, floor: floors.get(zone) ?? 0, left: waiting[0] ? leftAfter(waiting[0], sizes) : 0 };
  const path = [zone];
  for (;;) {
    const giver = waiting.find(({ to }) => to === path[0])?.from;
    if (giver === undefined) return { ...blocked, cycle: [] };
    const again = path.indexOf(giver);
    path.unshift(giver);
    if (again >= 0) return { ...blocked, cycle: path.slice(0, again + 2) };
  }
}
