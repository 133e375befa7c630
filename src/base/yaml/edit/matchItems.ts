/** Finds the items that two lists share in one order. */
import { isMapValue } from '../../values/plain.ts';

/** Returns, for each item of `after`, the index of its equal in `before`, or -1. Indexes ascend. */
export function matchItems(before: readonly unknown[], after: readonly unknown[]): number[] {
  const indexes = new Map(occurrences(before).map((key, index) => [key, index]));
  let last = -1;
  return occurrences(after).map((key) => {
    const index = indexes.get(key) ?? -1;
    if (index <= last) return -1;
    last = index;
    return index;
  });
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
