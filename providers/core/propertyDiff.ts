/** Differences between the properties of a resource, by path. */

export interface PropertyDiff {
  /** Starts at the resource: `['zones', 'checkout', 'ips', 3]`. */
  path: PropertyKey[];
  kind: 'add' | 'delete' | 'update';
  /** True if the difference requires another resource. */
  isReplacing: boolean;
}

/** Compares plain JSON values. Lists are compared item by item, so callers sort lists without an order. */
export function propertyDiffs(before: object, after: object, replaces: readonly string[] = []): PropertyDiff[] {
  return differences(before, after, []).map(({ path, kind }) => ({
    path,
    kind,
    isReplacing: replaces.includes(String(path[0])),
  }));
}

function differences(before: unknown, after: unknown, path: PropertyKey[]): Omit<PropertyDiff, 'isReplacing'>[] {
  if (Object.is(before, after)) return [];
  if (before === undefined) return [{ path, kind: 'add' }];
  if (after === undefined) return [{ path, kind: 'delete' }];
  if (!isNested(before) || !isNested(after) || Array.isArray(before) !== Array.isArray(after)) {
    return [{ path, kind: 'update' }];
  }
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) =>
    differences(before[key], after[key], [...path, Array.isArray(after) ? Number(key) : key]),
  );
}

function isNested(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
