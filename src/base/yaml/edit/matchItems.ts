/** Finds the items that two lists share in one order. */
import { isMapValue } from '../../values/plain.ts';

/** Returns, for each item of `after`, the index of its equal in `before`, or -1. Indexes ascend. As many as possible are found if no item repeats. */
export function matchItems(before: readonly unknown[], after: readonly unknown[]): number[] {
  const indexes = new Map(occurrences(before).map((key, index) => [key, index]));
  const candidates = occurrences(after).map((key) => indexes.get(key) ?? -1);
  const kept = longestAscending(candidates);
  return candidates.map((candidate, index) => (kept.has(index) ? candidate : -1));
}

/** Returns a key for each item, different for its repetitions. */
function occurrences(items: readonly unknown[]): string[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const key = valueKey(item);
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    return `${nth} ${key}`;
  });
}

/** Returns equal texts for equal plain values. The order of keys does not matter. */
function valueKey(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isMapValue(inner) ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

/** Returns the positions of the longest ascending subsequence of the numbers that are not negative. */
function longestAscending(numbers: readonly number[]): Set<number> {
  /** At index L, the position of the least number that ends an ascending sequence of L + 1 numbers. */
  const ends: number[] = [];
  const previous = new Map<number, number | undefined>();
  for (const [position, number] of numbers.entries()) {
    if (number < 0) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    previous.set(position, ends[low - 1]);
    ends[low] = position;
  }
  const kept = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = previous.get(at)) kept.add(at);
  return kept;
}
