/** What the YAML parser objects to, as problems. */
import type { Document, YAMLError } from 'yaml';
import type { Place, Problem } from '../diagnostics/problem.ts';
import { wordsFor } from './words.ts';

/** From an offset in the text to a line and a column. */
export type PlaceAt = (offset: number) => Place;

/** Warnings that are errors here: what they warn about would be read as something else than was meant. */
const REFUSED_WARNINGS: ReadonlySet<string> = new Set(['TAG_RESOLVE_FAILED', 'BAD_DIRECTIVE']);

/**
 * The syntax errors of a document: the first of each line, since the parser goes on and objects to what follows from it.
 * Of a file that is nothing but errors, one more than is shown.
 */
export function syntaxProblems(doc: Document, text: string, placeAt: PlaceAt): Problem[] {
  const warnings = doc.warnings.filter((warning) => REFUSED_WARNINGS.has(warning.code));
  const tooDeep = doc.errors.find((error) => error.code === 'RESOURCE_EXHAUSTION');
  // Where nesting stops the parser, whatever else it said follows from that.
  const errors = tooDeep ? [tooDeep] : [...doc.errors, ...warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  const firsts = firstOfEach(errors, (error) => placeAt(error.pos[0]).line).slice(0, MAX_PROBLEMS + 1);
  const oldVersion = doc.directives?.yaml.version === '1.1' ? [{ ...YAML_1_1, place: placeAt(0) }] : [];
  return [...oldVersion, ...firsts.map((error) => syntaxProblem(error, doc, text, placeAt))];
}

/** The most that are shown of one file. */
export const MAX_PROBLEMS = 100;

/** The first item of each group, in order. */
export function firstOfEach<T>(items: readonly T[], groupOf: (item: T) => unknown): T[] {
  const seen = new Set<unknown>();
  return items.filter((item) => {
    const group = groupOf(item);
    return !seen.has(group) && seen.add(group);
  });
}

const YAML_1_1: Problem = {
  code: 'yaml-version',
  found: 'the file asks for YAML 1.1',
  allowed: 'YAML 1.2',
  fix: 'remove the %YAML line',
};

function syntaxProblem(error: YAMLError, doc: Document, text: string, placeAt: PlaceAt): Problem {
  const { offset = error.pos[0], ...words } = wordsFor(error, doc, text);
  return { code: `yaml-${error.code.toLowerCase().replaceAll('_', '-')}`, ...words, place: placeAt(offset) };
}
