/** Differences between two plain values, property by property. */
import deepDiff from 'deep-diff';

export interface PropertyChange {
  path: PropertyKey[];
  kind: 'add' | 'remove' | 'change';
  before?: unknown;
  after?: unknown;
  /** True for a value of a new resource that the declaration leaves out. */
  isDefault?: true;
}

/** Compares plain objects of scalars. Sets are passed as objects, so that order and repetition do not count. */
export function propertyChanges(before: object, after: object): PropertyChange[] {
  return (deepDiff.diff(before, after) ?? []).map((difference): PropertyChange => {
    const path = difference.path ?? [];
    if (difference.kind === 'N') return { path, kind: 'add', after: difference.rhs };
    if (difference.kind === 'D') return { path, kind: 'remove', before: difference.lhs };
    if (difference.kind === 'E') return { path, kind: 'change', before: difference.lhs, after: difference.rhs };
    throw new TypeError(`a list at ${path.join('.')} where a set or a scalar is due`);
  });
}

/** A list whose order and repetitions do not matter. */
export function asSet(items: readonly string[]): Record<string, true> {
  return Object.fromEntries(items.map((item) => [item, true as const]));
}
