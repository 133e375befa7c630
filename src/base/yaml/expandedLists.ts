/** Lists of which some items stand for several. Problems keep the locations and the paths of the items as they are written. */
import type { Location } from '../diagnostics/problem.ts';
import { isMapValue } from '../values/plain.ts';
import type { YamlSource } from './source.ts';

export interface ExpandedList {
  path: readonly PropertyKey[];
  items: readonly unknown[];
  /** For each item, the item that it is from. */
  origins: readonly Origin[];
}

export interface Origin {
  /** The index in the list as it is written. */
  index: number;
  /** The location, if the item is in another file. */
  place?: Location;
}

/** Returns the source with some of its lists replaced. */
export function withExpandedLists(source: YamlSource, lists: readonly ExpandedList[]): YamlSource {
  if (lists.length === 0) return source;
  const originOf = (path: readonly PropertyKey[]) => {
    const list = lists.find((each) => each.path.length < path.length && each.path.every((key, at) => key === path[at]));
    const origin = list?.origins[Number(path[list.path.length])];
    return list && origin && { ...origin, path: [...list.path, origin.index, ...path.slice(list.path.length + 1)] };
  };
  const writtenPath = (path: readonly PropertyKey[]) => originOf(path)?.path ?? path;
  return {
    ...source,
    value: lists.reduce((value, { path, items }) => replacedAt(value, path, items), source.value),
    locationOf: (path, what) => originOf(path)?.place ?? source.locationOf(writtenPath(path), what),
    written: (path) => source.written(writtenPath(path)),
    writtenPath,
  };
}

/** Returns the value with a list at a path. Copies the maps along the path, since aliases share values. */
export function replacedAt(value: unknown, [key, ...rest]: readonly PropertyKey[], items: readonly unknown[]): unknown {
  if (key === undefined) return items;
  if (!isMapValue(value)) return value;
  return { ...value, [key]: replacedAt(value[String(key)], rest, items) };
}
