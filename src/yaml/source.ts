/**
 * A YAML file that a person wrote, as plain values that know where they stand in it. One file, or a base and overlays
 * merged by key.
 */
import { type Document, LineCounter, parseDocument } from 'yaml';
import { byPlace, type Place, type Problem, ProblemError } from '../diagnostics/problem.ts';
import { isMapValue, valueAt } from '../values/plain.ts';
import { folded } from './folds.ts';
import { TreePlaces } from './locations.ts';
import { firstOfEach, MAX_PROBLEMS, type PlaceAt, syntaxProblems } from './syntax.ts';
import { readTree } from './tree.ts';
import type { Environment } from './variables.ts';

export interface YamlSource {
  /** Maps, lists, text, numbers, booleans and null. An empty file is an empty map. Not to be changed: aliases share. */
  readonly value: unknown;
  /** What the variables held that were put in, for redaction, each with the name of its variable. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Where the key or the value (the default) at a path starts; for a path that does not exist, its nearest ancestor. */
  placeOf(path: readonly PropertyKey[], what?: 'key' | 'value'): Place;
  /** The scalar at a path as the file has it: `${NAME}` where the value holds what NAME holds. */
  written(path: readonly PropertyKey[]): string | undefined;
}

export interface ReadOptions {
  /** Where `${NAME}` is looked up; without it, nothing is replaced. */
  env?: Environment;
}

/** More would take minutes and gigabytes to parse where a file is nothing but brackets; long lists of addresses are not counted. */
const MAX_MIB = 4;
/** With all that is in it: three million addresses. */
const MAX_WHOLE_MIB = 64;

/**
 * Reads one file's text; `file` is only for places.
 * @throws ProblemError with everything that is wrong with the file, and nothing else
 */
export function readYaml(text: string, file: string, options: ReadOptions = {}): YamlSource {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const { text: shown, document } = folded(source);
  refuse(unreadable(source, shown, file));
  const placeAt = placesIn(source, file);
  const doc = document(parse) ?? parseWhole(source, file);
  const tree = readTree(doc, source, placeAt, options.env);
  refuse(oneCauseALine(syntaxProblems(doc, source, placeAt), tree.problems));
  const places = new TreePlaces(tree);
  return {
    value: tree.value ?? {},
    secrets: tree.secrets,
    placeOf: (path, what = 'value') => placeAt(places.offsetOf(path, what)),
    written: (path) => places.written(path),
  };
}

/**
 * A base and its overlays, in this order. Maps merge by key, anything else is replaced, and null in an overlay takes the
 * key away. How the files are grouped makes no difference, except where one takes away or replaces what another fills.
 */
export function mergeSources(sources: readonly YamlSource[]): YamlSource {
  const [base = readYaml('', ''), ...overlays] = sources;
  return overlays.reduce(mergeTwo, base);
}

const YAML_1_2 = {
  version: '1.2',
  schema: 'core',
  merge: true,
  resolveKnownTags: false,
  prettyErrors: false,
  // Compares each key with each other; ours (yamlTree.ts) has an index.
  uniqueKeys: false,
  // Anything quieter would also keep quiet about a second document.
  logLevel: 'error',
} as const;

function refuse(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw new ProblemError(problems.length > MAX_PROBLEMS ? [...problems.slice(0, MAX_PROBLEMS), AND_MORE] : problems);
}

const AND_MORE: Problem = {
  code: 'more-problems',
  found: `more problems than these ${MAX_PROBLEMS}`,
  fix: 'correct these first; many of the others may follow from them',
};

/** Control characters have no place in YAML; the parser takes some of them for its own signals. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_CHARACTER = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;

/** `shown` is what the parser takes its time over. */
function unreadable(text: string, shown: string, file: string): Problem[] {
  const mib = mebibytes(text);
  if (mebibytes(shown) > MAX_MIB) return [tooLarge(mib, MAX_MIB, file)];
  if (mib > MAX_WHOLE_MIB) return [tooLarge(mib, MAX_WHOLE_MIB, file)];
  const offset = text.search(CONTROL_CHARACTER);
  if (offset < 0) return [];
  return [
    {
      code: 'control-character',
      found: `a control character, U+${text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, '0')}`,
      allowed: 'text in UTF-8',
      fix: 'remove it, or write it as an escape in double quotes: "\\x1b"',
      place: placesIn(text, file)(offset),
    },
  ];
}

function mebibytes(text: string): number {
  return Buffer.byteLength(text) / 2 ** 20;
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

/** Counts the lines itself: the parser misses some where it has given up understanding the text. */
function placesIn(text: string, file: string): PlaceAt {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) lines.addNewLine(end + 1);
  return (offset) => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
}

function parse(text: string): Document {
  return withoutStackTraces(() => parseDocument(text, YAML_1_2));
}

function parseWhole(text: string, file: string): Document {
  const mib = mebibytes(text);
  refuse(mib > MAX_MIB ? [tooLarge(mib, MAX_MIB, file)] : []);
  return parse(text);
}

/** The parser makes an error object for each bracket out of place; with stack traces, a megabyte of them takes minutes. */
function withoutStackTraces<T>(run: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** In the order of the text. What else is said of a line with a syntax error follows from that error. */
function oneCauseALine(syntax: readonly Problem[], others: readonly Problem[]): Problem[] {
  const firsts = firstOfEach([...syntax].sort(byPlace), (problem) => problem.place?.line);
  const lines = new Set(firsts.map((problem) => problem.place?.line));
  return [...firsts, ...others.filter((problem) => !lines.has(problem.place?.line))].sort(byPlace);
}

function mergeTwo(base: YamlSource, overlay: YamlSource): YamlSource {
  const supplier = (path: readonly PropertyKey[]) => (isFromOverlay(base.value, overlay.value, path) ? overlay : base);
  return {
    value: mergeValues(base.value, overlay.value),
    secrets: new Map([...overlay.secrets, ...base.secrets]),
    placeOf: (path, what) => supplier(path).placeOf(path, what),
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

/** The file that says what stands at the path; of a map that both fill, the base; of a key taken away, who took it. */
function isFromOverlay(base: unknown, overlay: unknown, path: readonly PropertyKey[]): boolean {
  const [key, ...rest] = path;
  if (!isMapValue(base) || !isMapValue(overlay)) return true;
  if (key === undefined || !Object.hasOwn(overlay, key)) return false;
  if (!Object.hasOwn(base, key)) return true;
  return isFromOverlay(valueAt(base, [key]), valueAt(overlay, [key]), rest);
}
