/** Expands lists that are written short: an item that stands for several, such as a range of IPs, or a file with one item per line. */
import { assertNoProblems, type Location, type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { isMapValue, valueAt } from '../../base/values/plain.ts';
import { type ExpandedList, type Origin, replacedAt, withExpandedLists } from '../../base/yaml/expandedLists.ts';
import { withoutVariables } from '../../base/yaml/parseWith.ts';
import type { YamlSource } from '../../base/yaml/source.ts';
import { kinds } from '../../kinds/knownKinds.ts';
import { entryLists, type ShortLists, shortLists } from '../../kinds/seam/shortLists.ts';

/** The files that lists name, or why they cannot be read. */
export type ListContents = ReadonlyMap<string, ListContent | ProblemError>;

export interface ListContent {
  /** The name of the file. */
  file: string;
  text: string;
}

/** Returns a key for a file that is named in another file. */
export function keyOfFile(name: string, place: Location): string {
  return JSON.stringify([place.file, name]);
}

/** Returns the source with whole lists. @throws ProblemError with all problems of the lists and their locations */
export function expandShortLists(source: YamlSource, files: ListContents): YamlSource {
  return withExpandedLists(source, expandedLists(source, files));
}

/** @throws ProblemError with all problems of the lists and their locations */
function expandedLists(source: YamlSource, files: ListContents): ExpandedList[] {
  const expansion = new Expansion(source, files);
  const lists = shortListsIn(source).map(({ path, written, kind }) => expansion.list(path, written, kind));
  assertNoProblems(expansion.problems.map((problem) => withoutVariables(problem, source)));
  return lists;
}

/**
 * Returns the fields of a resource with lists that are written as in the source: an item of the source stays if the list still has all of its
 * values, and a range is split where some have left. `path` is that of the resource.
 */
export function withShortLists<Fields>(
  fields: Fields,
  path: readonly PropertyKey[],
  source: YamlSource,
  files: ListContents,
): Fields {
  let short: unknown = fields;
  const kindAt = new Map(shortListsIn(source).map((list) => [JSON.stringify(list.path), list.kind]));
  for (const { path: at, items, origins } of expandedLists(source, files)) {
    if (!path.every((key, index) => key === at[index])) continue;
    const inner = at.slice(path.length);
    const list = valueAt(fields, inner);
    const wanted = new Set<unknown>(Array.isArray(list) ? list : []);
    const byOrigin = Map.groupBy(items.keys(), (index) => origins[index]?.index ?? -1);
    const kept = (valueAt(source.value, at) as unknown[]).flatMap((item, index) => {
      const expanded = (byOrigin.get(index) ?? []).map((each) => items[each]);
      const stay = new Set(expanded.filter((each) => wanted.has(each)));
      if (expanded.every((each) => stay.has(each))) return expanded.length === 0 ? [] : [item];
      const shorten = !isNamedList(item) ? kindAt.get(JSON.stringify(at))?.shorten : undefined;
      return shorten ? runsOf(expanded, stay).map(([first, last]) => shorten(String(first), String(last))) : [...stay];
    });
    if (!Array.isArray(list)) continue;
    const before = new Set(items);
    const added = [...wanted].filter((item) => !before.has(item));
    short = replacedAt(short, inner, [...kept, ...added]);
  }
  return short as Fields;
}

/** Returns the first and the last item of each run of items that stay. */
function runsOf(items: readonly unknown[], stay: ReadonlySet<unknown>): [unknown, unknown][] {
  const runs: [unknown, unknown][] = [];
  let open: [unknown, unknown] | undefined;
  for (const item of items) {
    if (!stay.has(item)) open = undefined;
    else if (open !== undefined) open[1] = item;
    else {
      open = [item, item];
      runs.push(open);
    }
  }
  return runs;
}

interface WrittenList {
  path: PropertyKey[];
  written: readonly unknown[];
  kind: ShortLists;
}

/** Returns the lists of the settings and of every kind, with their paths from the top of the file. `*` stands for any key. */
export function allShortLists(): { path: readonly string[]; kind: ShortLists }[] {
  const ofKinds = kinds.flatMap((definition) => {
    const kind = shortLists.of(definition);
    return kind?.paths.map((path) => ({ path: [definition.collection, '*', ...path], kind })) ?? [];
  });
  const callers = entryLists([['allowedCallers']]);
  return [{ path: ['service', 'zones', '*', 'allowedCallers'], kind: callers }, ...ofKinds];
}

/** Returns the lists with short items. */
function shortListsIn({ value }: YamlSource): WrittenList[] {
  return allShortLists().flatMap(({ path: pattern, kind }) =>
    matching(value, pattern, []).flatMap((path) => {
      const written = valueAt(value, path);
      return Array.isArray(written) && written.some((item) => isShort(item, kind)) ? [{ path, written, kind }] : [];
    }),
  );
}

/** Returns the items of lists that are maps, such as `{ file }`. */
export function namedItems(source: YamlSource): { item: unknown; path: PropertyKey[] }[] {
  return shortListsIn(source).flatMap(({ path, written }) =>
    written.flatMap((item, index) => (isMapValue(item) ? [{ item, path: [...path, index] }] : [])),
  );
}

/** Returns the paths of the values that a pattern with `*` for any key matches. */
function matching(value: unknown, [step, ...rest]: readonly string[], path: readonly string[]): PropertyKey[][] {
  if (step === undefined) return [[...path]];
  if (!isMapValue(value)) return [];
  const keys = step === '*' ? Object.keys(value) : Object.hasOwn(value, step) ? [step] : [];
  return keys.flatMap((key) => matching(value[key], rest, [...path, key]));
}

function isShort(item: unknown, { expand }: ShortLists): boolean {
  return isNamedList(item) || (typeof item === 'string' && expand(item) !== undefined);
}

/** Returns true for `{ file: NAME }`, also with a wrong value, and for the lists by `url` or `command` that users of other tools expect. */
function isNamedList(item: unknown): boolean {
  return isMapValue(item) && ['file', 'url', 'command'].some((key) => Object.hasOwn(item, key));
}

/** Returns the name of `{ file: NAME }`. */
export function fileName(item: unknown): string | undefined {
  if (!isMapValue(item) || Object.keys(item).length !== 1) return undefined;
  return typeof item.file === 'string' ? item.file : undefined;
}

class Expansion {
  readonly problems: Problem[] = [];
  readonly #source: YamlSource;
  readonly #files: ListContents;

  constructor(source: YamlSource, files: ListContents) {
    this.#source = source;
    this.#files = files;
  }

  list(path: readonly PropertyKey[], written: readonly unknown[], lists: ShortLists): ExpandedList {
    const items: unknown[] = [];
    const origins: Origin[] = [];
    const add = (values: readonly unknown[], origin: Origin) => {
      for (const value of values) {
        items.push(value);
        origins.push(origin);
      }
    };
    for (const [index, item] of written.entries()) {
      const place = this.#source.locationOf([...path, index]);
      const file = fileName(item);
      if (file === undefined && isNamedList(item))
        this.problems.push({ ...wrongSource, path: [...path, index], place });
      else if (file === undefined) add(this.#expanded(item, place, lists, [...path, index]), { index });
      else
        for (const line of this.#linesOf(file, place, [...path, index]))
          add(this.#expanded(line.text, line.place, lists, [...path, index]), { index, place: line.place });
    }
    return { path, items, origins };
  }

  #expanded(item: unknown, place: Location, { expand }: ShortLists, path: PropertyKey[]): readonly unknown[] {
    const expanded = typeof item === 'string' ? expand(item) : undefined;
    if (expanded === undefined) return [item];
    if (Array.isArray(expanded)) return expanded;
    this.problems.push({ ...(expanded as Problem), path, place });
    return [];
  }

  #linesOf(name: string, place: Location, path: PropertyKey[]): { text: string; place: Location }[] {
    const read = this.#files.get(keyOfFile(name, place));
    if (read === undefined || read instanceof ProblemError) {
      this.problems.push(...(read?.problems ?? []).map((problem) => ({ ...problem, path })));
      return [];
    }
    const lines = itemLines(read.text, read.file);
    if (lines.length === 0) this.problems.push({ ...emptyFile(read.file), path, place });
    return lines;
  }
}

/** Returns the items of a file with one per line. Comments begin with `#`. */
function itemLines(text: string, file: string): { text: string; place: Location }[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  return lines.flatMap((line, index) => {
    const content = line.replace(/#.*/s, '');
    const item = content.trim();
    const column = content.length - content.trimStart().length + 1;
    return item === '' ? [] : [{ text: item, place: { file, line: index + 1, column } }];
  });
}

const wrongSource: Problem = {
  code: 'wrong-list-source',
  found: 'the item does not name a file',
  allowed: '{ file: NAME }',
  fix: 'let a step before the plan write the list to a file, and name that file',
};

function emptyFile(file: string): Problem {
  return {
    code: 'empty-list-file',
    found: `${file} has no items`,
    allowed: 'one item per line',
    fix: 'add the items, or remove the file from the list; for an empty list, write []',
  };
}
