/** Turns the errors of the YAML parser into problems. */
import type { Document, YAMLError } from 'yaml';
import type { Location, Problem } from '../diagnostics/problem.ts';
import { isUnquotedVariable, wordsFor } from './words.ts';

/** Returns the line and column of an offset in the text. */
export type LocationAt = (offset: number) => Location;

/** Warnings that count as errors, since the value would not be read as intended. */
const REFUSED_WARNINGS: ReadonlySet<string> = new Set(['TAG_RESOLVE_FAILED', 'BAD_DIRECTIVE']);

/**
 * Returns the first syntax error of each line, since others on that line follow from it. Returns at most one more than is shown, to
 * signal that there are more.
 */
export function syntaxProblems(doc: Document, text: string, locationAt: LocationAt): Problem[] {
  const warnings = doc.warnings.filter((warning) => REFUSED_WARNINGS.has(warning.code));
  const tooDeep = doc.errors.find((error) => error.code === 'RESOURCE_EXHAUSTION');
  // Other errors follow from the nesting that stopped the parser.
  const errors = tooDeep ? [tooDeep] : [...doc.errors, ...warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  // The brace of a variable opens a map that the parser closes too early, so that all later lines look wrong.
  const variable = errors.findIndex((error) => isUnquotedVariable(error, text));
  if (variable >= 0) errors.splice(variable + 1);
  const firsts = firstOfEach(errors, (error) => locationAt(error.pos[0]).line).slice(0, MAX_PROBLEMS + 1);
  const oldVersion = doc.directives?.yaml.version === '1.1' ? [{ ...YAML_1_1, place: locationAt(0) }] : [];
  return [...oldVersion, ...firsts.map((error) => syntaxProblem(error, doc, text, locationAt))];
}

/** The most problems that are shown for one file. */
export const MAX_PROBLEMS = 100;

/** Returns the first item of each group, in order. */
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

function syntaxProblem(error: YAMLError, doc: Document, text: string, locationAt: LocationAt): Problem {
  const { offset = error.pos[0], ...words } = wordsFor(error, doc, text);
  return { code: `yaml-${error.code.toLowerCase().replaceAll('_', '-')}`, ...words, place: locationAt(offset) };
}
