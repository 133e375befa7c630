/**
 * Reads YAML files as plain values whose locations can be looked up. A source is one file, or a base and overlays that are merged by
 * key.
 */
import { type Document, LineCounter, parseDocument } from 'yaml';
import { byLocation, type Location, type Problem, ProblemError } from '../diagnostics/problem.ts';
import { isMapValue, valueAt } from '../values/plain.ts';
import { withoutMark } from '../values/utf8.ts';
import { foldAddresses } from './folds.ts';
import { TreeLocations } from './locations.ts';
import { firstOfEach, type LocationAt, MAX_PROBLEMS, syntaxProblems } from './syntax.ts';
import { readTree, type Tree } from './tree.ts';
import type { Environment } from './variables.ts';

export interface YamlSource {
  /** Maps, lists, strings, numbers, booleans and null. An empty file is an empty map. Must not be changed, since aliases share values. */
  readonly value: unknown;
  /** The values of substituted variables, for redaction, each with the name of its variable. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Returns the location of the key or the value (the default) at a path, or of its nearest ancestor if the path does not exist. */
  locationOf(path: readonly PropertyKey[], what?: 'key' | 'value'): Location;
  /** Returns the scalar at a path as it is in the file, with `${NAME}` instead of the value of NAME. */
  written(path: readonly PropertyKey[]): string | undefined;
  /** Returns the path of a value as it is in the file. Undefined if all paths are. */
  writtenPath?(path: readonly PropertyKey[]): readonly PropertyKey[];
}

export interface ReadOptions {
  /** The variables for `${NAME}`. Without it, nothing is replaced. */
  env?: Environment;
}

/** A larger file of nothing but brackets would take minutes and gigabytes to parse. Folded lists of addresses do not count. */
const MAX_MIB = 4;
/** The limit with all lists: three million addresses. */
const MAX_WHOLE_MIB = 64;

/** A source with its nodes, for edits of the text. Their offsets are those of the text without its byte order mark. */
export interface ParsedYaml extends YamlSource {
  readonly tree: Tree;
  readonly locationAt: LocationAt;
}

/**
 * Reads the text of one file. `file` is only used for locations.
 * @throws ProblemError with all problems of the file
 */
export function readYaml(text: string, file: string, options: ReadOptions = {}): ParsedYaml {
  const source = withoutMark(text);
  const { text: shown, document } = foldAddresses(source);
  refuse(unreadable(source, shown, file));
  const locationAt = locationsIn(source, file);
  const doc = document(parse) ?? parseWhole(source, file);
  const tree = readTree(doc, source, locationAt, options.env);
  refuse(oneCauseALine(syntaxProblems(doc, source, locationAt), tree.problems));
  const places = new TreeLocations(tree);
  return {
    value: tree.value ?? {},
    secrets: tree.secrets,
    locationOf: (path, what = 'value') => locationAt(places.offsetOf(path, what)),
    written: (path) => places.written(path),
    tree,
    locationAt,
  };
}

/**
 * Merges a base and its overlays, in this order. Maps are merged by key, other values are replaced, and null in an overlay removes the
 * key. Merging is associative, unless an overlay removes or replaces a map that another one extends.
 */
export function mergeSources(sources: readonly YamlSource[]): YamlSource {
  const [base = readYaml('', '') as YamlSource, ...overlays] = sources;
  return overlays.reduce(mergeTwo, base);
}

const YAML_1_2 = {
  version: '1.2',
  schema: 'core',
  merge: true,
  resolveKnownTags: false,
  prettyErrors: false,
  // The parser's own check compares each key with every other; `tree.ts` has an index.
  uniqueKeys: false,
  // A quieter level would hide a second document.
  logLevel: 'error',
} as const;

function refuse(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw new ProblemError(problems.length > MAX_PROBLEMS ? [...problems.slice(0, MAX_PROBLEMS), AND_MORE] : problems);
}

const AND_MORE: Problem = {
  code: 'more-problems',
  found: `there are more problems than these ${MAX_PROBLEMS}`,
  fix: 'correct these first; many of the others may follow from them',
};

/** Control characters are not allowed in YAML, and the parser uses some of them as its own signals. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_CHARACTER = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;

/** `shown` is the part of the text that the parser reads. */
function unreadable(text: string, shown: string, file: string): Problem[] {
  const mib = mebibytes(text);
  if (mebibytes(shown) > MAX_MIB) return [tooLarge(mib, MAX_MIB, file)];
  if (mib > MAX_WHOLE_MIB) return [tooLarge(mib, MAX_WHOLE_MIB, file)];
  const offset = text.search(CONTROL_CHARACTER);
  if (offset < 0) return [];
  // Every other byte of UTF-16 is one, as long as the text has only letters of ASCII.
  const isUtf16 = text[offset] === '\0';
  const code = text.charCodeAt(offset).toString(16).padStart(2, '0');
  return [
    {
      code: 'control-character',
      found: `a control character, U+00${code.toUpperCase()}${isUtf16 ? ', as in UTF-16' : ''}`,
      allowed: 'text in UTF-8',
      fix: isUtf16 ? 'save it as UTF-8' : `remove it, or write it as an escape in double quotes: "\\x${code}"`,
      place: locationsIn(text, file)(offset),
    },
  ];
}

/** Returns the size in UTF-8. Does not count short texts, which are below every limit in any case. */
function mebibytes(text: string): number {
  const bytes = text.length < 2 ** 20 ? text.length : new TextEncoder().encode(text).length;
  return bytes / 2 ** 20;
}

function tooLarge(mib: number, most: number, file: string): Problem {
  return {
    code: 'file-too-large',
    found: `the file has ${mib.toFixed(1)} MiB`,
    allowed: `${most} MiB`,
    fix: 'split it into a base and overlays, or check that it is the right file',
    place: { file, line: 1, column: 1 },
  };
}

/** Counts the lines when a location is first asked for, and without the parser, which misses some after an error. */
function locationsIn(text: string, file: string): LocationAt {
  let lines: LineCounter | undefined;
  return (offset) => {
    lines ??= linesIn(text);
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
}

function linesIn(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) lines.addNewLine(end + 1);
  return lines;
}

function parse(text: string): Document {
  return withoutStackTraces(() => parseDocument(text, YAML_1_2));
}

function parseWhole(text: string, file: string): Document {
  const mib = mebibytes(text);
  refuse(mib > MAX_MIB ? [tooLarge(mib, MAX_MIB, file)] : []);
  return parse(text);
}

/** Runs without stack traces: the parser creates an error for each misplaced bracket, and a megabyte of them would take minutes. */
function withoutStackTraces<T>(run: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** Keeps the first syntax error of each line and drops other problems of that line, which follow from it. Sorts by location. */
function oneCauseALine(syntax: readonly Problem[], others: readonly Problem[]): Problem[] {
  const firsts = firstOfEach([...syntax].sort(byLocation), (problem) => problem.place?.line);
  const lines = new Set(firsts.map((problem) => problem.place?.line));
  return [...firsts, ...others.filter((problem) => !lines.has(problem.place?.line))].sort(byLocation);
}

function mergeTwo(base: YamlSource, overlay: YamlSource): YamlSource {
  const supplier = (path: readonly PropertyKey[]) => (isFromOverlay(base.value, overlay.value, path) ? overlay : base);
  return {
    value: mergeValues(base.value, overlay.value),
    secrets: new Map([...overlay.secrets, ...base.secrets]),
    locationOf: (path, what) => supplier(path).locationOf(path, what),
    written: (path) => supplier(path).written(path),
  };
}

function mergeValues(base: unknown, overlay: unknown): unknown {
  if (!isMapValue(overlay)) return overlay;
  const merged = isMapValue(base) ? { ...base } : {};
  for (const [key, value] of Object.entries(overlay)) {
    if (value === null) delete merged[key];
    else merged[key] = mergeValues(Object.hasOwn(merged, key) ? merged[key] : undefined, value);
  }
  return merged;
}

/** Reports whether the value at the path is from the overlay. Maps in both files belong to the base, removed keys to the overlay. */
function isFromOverlay(base: unknown, overlay: unknown, path: readonly PropertyKey[]): boolean {
  const [key, ...rest] = path;
  if (!isMapValue(base) || !isMapValue(overlay)) return true;
  if (key === undefined || !Object.hasOwn(overlay, key)) return false;
  if (!Object.hasOwn(base, key)) return true;
  return isFromOverlay(valueAt(base, [key]), valueAt(overlay, [key]), rest);
}
