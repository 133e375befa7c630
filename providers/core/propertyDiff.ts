/** Differences between the properties of a resource, by path. */

export interface PropertyDiff {
  /** Starts at the resource: `['zones', 'checkout', 'ips', 3]`. */
  path: PropertyKey[];
  kind: 'add' | 'delete' | 'update';
  /** True if the difference requires another resource. */
  isReplacing: boolean;
}

/** Compares plain JSON values. Lists of texts and numbers are compared as sets: an added item has its index in the new list, a deleted one in the old. */
export function propertyDiffs(before: object, after: object, replaces: readonly string[] = []): PropertyDiff[] {
  return differences(before, after, []).map(({ path, kind }) => ({
    path,
    kind,
    isReplacing: replaces.includes(String(path[0])),
  }));
}

type Difference = Omit<PropertyDiff, 'isReplacing'>;

function differences(before: unknown, after: unknown, path: PropertyKey[]): Difference[] {
  if (Object.is(before, after)) return [];
  if (before === undefined) return [{ path, kind: 'add' }];
  if (after === undefined) return [{ path, kind: 'delete' }];
  if (!isNested(before) || !isNested(after) || Array.isArray(before) !== Array.isArray(after)) {
    return [{ path, kind: 'update' }];
  }
  if (isPlainList(before) && isPlainList(after)) return itemDifferences(before, after, path);
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) =>
    differences(before[key], after[key], [...path, Array.isArray(after) ? Number(key) : key]),
  );
}

function isNested(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isPlainList(value: unknown): value is readonly (string | number)[] {
  return Array.isArray(value) && value.every((item) => !isNested(item));
}

function itemDifferences(before: readonly unknown[], after: readonly unknown[], path: PropertyKey[]) {
  const added = indexesOfMissing(after, before);
  const deleted = indexesOfMissing(before, after);
  const indexes = [...new Set([...added, ...deleted])].sort((a, b) => a - b);
  return indexes.map((index): Difference => {
    const kind = added.has(index) ? (deleted.has(index) ? 'update' : 'add') : 'delete';
    return { path: [...path, index], kind };
  });
}

function indexesOfMissing(items: readonly unknown[], others: readonly unknown[]): Set<number> {
  const known = new Set(others);
  return new Set([...items.keys()].filter((index) => !known.has(items[index])));
}
