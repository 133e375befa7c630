/** Expands lists that are written short: an item that stands for several, such as a range of IPs, or a file with one item per line. */
import { type Location, type Problem, ProblemError } from '../../diagnostics/problem.ts';
import type { ShortLists } from '../../kinds/kind.ts';
import { kinds } from '../../kinds/registry.ts';
import { isMapValue, valueAt } from '../../values/plain.ts';
import { type ExpandedList, type Origin, withExpandedLists } from '../../yaml/expandedLists.ts';
import type { YamlSource } from '../../yaml/source.ts';
import type { NamedFiles } from './sources.ts';

/** @throws ProblemError with all problems of the lists and their locations */
export async function expandShortLists(source: YamlSource, files: NamedFiles): Promise<YamlSource> {
  const expansion = new Expansion(source, files);
  const lists: ExpandedList[] = [];
  for (const { collection, shortLists } of kinds) {
    if (shortLists === undefined) continue;
    for (const path of listPaths(source.value, collection, shortLists)) {
      const items = valueAt(source.value, path);
      if (Array.isArray(items) && items.some((item) => isShort(item, shortLists)))
        lists.push(await expansion.list(path, items, shortLists));
    }
  }
  if (expansion.problems.length > 0) throw new ProblemError(expansion.problems);
  return withExpandedLists(source, lists);
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
  readonly #files: NamedFiles;

  constructor(source: YamlSource, files: NamedFiles) {
    this.#source = source;
    this.#files = files;
  }

  async list(path: readonly PropertyKey[], written: readonly unknown[], lists: ShortLists): Promise<ExpandedList> {
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
        for (const line of await this.#linesOf(file, place, [...path, index]))
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

  async #linesOf(name: string, place: Location, path: PropertyKey[]): Promise<{ text: string; place: Location }[]> {
    try {
      const { file, text } = await this.#files.read(name, place);
      const lines = itemLines(text, file);
      if (lines.length === 0) this.problems.push({ ...emptyFile(file), path, place });
      return lines;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      this.problems.push(...error.problems.map((problem) => ({ ...problem, path })));
      return [];
    }
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
