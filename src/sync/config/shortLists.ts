/** Expands lists that are written short: an item that stands for several, such as a range of IPs, or a file with one item per line. */
import { type Location, type Problem, ProblemError } from '../../diagnostics/problem.ts';
import type { ShortLists } from '../../kinds/kind.ts';
import { kinds } from '../../kinds/registry.ts';
import { isMapValue, valueAt } from '../../values/plain.ts';
import { type ExpandedList, type Origin, replacedAt, withExpandedLists } from '../../yaml/expandedLists.ts';
import type { YamlSource } from '../../yaml/source.ts';
import type { NamedFiles } from './sources.ts';

/** The contents of the files that lists name, or why they cannot be read. */
export type ListFiles = ReadonlyMap<string, { file: string; text: string } | ProblemError>;

/** Reads the files that lists name. */
export async function readListFiles(source: YamlSource, files: NamedFiles): Promise<ListFiles> {
  const read = new Map<string, { file: string; text: string } | ProblemError>();
  for (const { path, written } of shortListsIn(source)) {
    for (const [index, item] of written.entries()) {
      const name = fileName(item);
      const place = source.locationOf([...path, index]);
      if (name === undefined || read.has(keyOf(name, place))) continue;
      try {
        read.set(keyOf(name, place), await files.read(name, place));
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        read.set(keyOf(name, place), error);
      }
    }
  }
  return read;
}

/** Returns a key for a file that is named in another file. */
function keyOf(name: string, place: Location): string {
  return JSON.stringify([place.file, name]);
}

/** Returns the source with whole lists. @throws ProblemError with all problems of the lists and their locations */
export function expandShortLists(source: YamlSource, files: ListFiles): YamlSource {
  return withExpandedLists(source, expandedLists(source, files));
}

/** @throws ProblemError with all problems of the lists and their locations */
function expandedLists(source: YamlSource, files: ListFiles): ExpandedList[] {
  const expansion = new Expansion(source, files);
  const lists = shortListsIn(source).map(({ path, written, kind }) => expansion.list(path, written, kind));
  if (expansion.problems.length > 0) throw new ProblemError(expansion.problems);
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
  files: ListFiles,
): Fields {
  let short: unknown = fields;
  const kindAt = new Map(shortListsIn(source).map((list) => [JSON.stringify(list.path), list.kind]));
  for (const { path: at, items, origins } of expandedLists(source, files)) {
    const inner = at.slice(path.length);
    const list = valueAt(fields, inner);
    if (!path.every((key, index) => key === at[index]) || !Array.isArray(list)) continue;
    const left = new Set<unknown>(list);
    const byOrigin = Map.groupBy(items.keys(), (index) => origins[index]?.index ?? -1);
    const kept = (valueAt(source.value, at) as unknown[]).flatMap((item, index) => {
      const its = (byOrigin.get(index) ?? []).map((each) => items[each]);
      const stay = new Set(its.filter((each) => left.delete(each)));
      if (stay.size === its.length) return stay.size === 0 ? [] : [item];
      const shorten = fileName(item) === undefined ? kindAt.get(JSON.stringify(at))?.shorten : undefined;
      return shorten ? runsOf(its, stay).map(([first, last]) => shorten(String(first), String(last))) : [...stay];
    });
    short = replacedAt(short, inner, [...kept, ...left]);
  }
  return short as Fields;
}

/** Returns the first and the last item of each run of items that stay. */
function runsOf(items: readonly unknown[], stay: ReadonlySet<unknown>): [unknown, unknown][] {
  const runs: [unknown, unknown][] = [];
  let isOpen = false;
  for (const item of items) {
    const last = runs.at(-1);
    if (stay.has(item) && isOpen && last !== undefined) last[1] = item;
    else if (stay.has(item)) runs.push([item, item]);
    isOpen = stay.has(item);
  }
  return runs;
}

interface WrittenList {
  path: PropertyKey[];
  written: readonly unknown[];
  kind: ShortLists;
}

/** Returns the lists with short items. */
function shortListsIn({ value }: YamlSource): WrittenList[] {
  return kinds.flatMap(({ collection, shortLists: kind }) => {
    if (kind === undefined) return [];
    return listPaths(value, collection, kind).flatMap((path) => {
      const written = valueAt(value, path);
      return Array.isArray(written) && written.some((item) => isShort(item, kind)) ? [{ path, written, kind }] : [];
    });
  });
}

function listPaths(file: unknown, collection: string, { paths }: ShortLists): PropertyKey[][] {
  return paths.flatMap((path) => matching(file, [collection, '*', ...path], []));
}

/** Returns the paths of the values that a pattern with `*` for any key matches. */
function matching(value: unknown, [step, ...rest]: readonly string[], path: readonly string[]): PropertyKey[][] {
  if (step === undefined) return [[...path]];
  if (!isMapValue(value)) return [];
  const keys = step === '*' ? Object.keys(value) : Object.hasOwn(value, step) ? [step] : [];
  return keys.flatMap((key) => matching(value[key], rest, [...path, key]));
}

function isShort(item: unknown, { expand }: ShortLists): boolean {
  return fileName(item) !== undefined || (typeof item === 'string' && expand(item) !== undefined);
}

/** Returns the name of `{ file: NAME }`. */
function fileName(item: unknown): string | undefined {
  if (!isMapValue(item) || Object.keys(item).length !== 1) return undefined;
  return typeof item.file === 'string' ? item.file : undefined;
}

class Expansion {
  readonly problems: Problem[] = [];
  readonly #source: YamlSource;
  readonly #files: ListFiles;

  constructor(source: YamlSource, files: ListFiles) {
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
      if (file === undefined) add(this.#expanded(item, place, lists, [...path, index]), { index });
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
    const read = this.#files.get(keyOf(name, place));
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
    const content = line.replace(/#.*$/, '');
    const item = content.trim();
    const column = content.length - content.trimStart().length + 1;
    return item === '' ? [] : [{ text: item, place: { file, line: index + 1, column } }];
  });
}

function emptyFile(file: string): Problem {
  return {
    code: 'empty-list-file',
    found: `${file} has no items`,
    allowed: 'one item per line',
    fix: 'add the items, or remove the file from the list; for an empty list, write []',
  };
}
