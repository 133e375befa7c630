/** The one place where problems become text. */
import { createColors } from 'picocolors';
import { formatPath } from '../../diagnostics/path.ts';
import { byLocation, type Location, mergeByCause, type Problem } from '../../diagnostics/problem.ts';
import { shorten } from '../../diagnostics/valueWords.ts';
import { printableText } from '../model/printable.ts';
import { prose } from './layout.ts';

/** What the printer takes: a problem, or anything told in the same terms, such as an error of the service. */
export interface Printable extends Omit<Problem, 'code'> {
  code?: string;
  /** Stands before what was found where there is neither place nor path: `POST /zone/ips/migrate`. */
  where?: string;
  /** What somebody else said about it, in their words: the service's own message. */
  said?: string;
}

export interface PrintOptions {
  color?: boolean;
  /** Columns of the terminal; without it every line stays whole. */
  width?: number | undefined;
}

/**
 * `file:line:column: found`, as editors and CI annotate it, and indented below it what is allowed, what to do, and the
 * other places. Without a place it starts with the path of keys. One line each, whatever was found: control characters
 * are escaped, and no text can look like another line of the report or reach the terminal as a command.
 */
export function formatProblem(problem: Printable, options: PrintOptions = {}): string {
  const { bold, red, green, dim } = createColors(options.color ?? false);
  const where = whereOf(problem);
  const details = [
    ...(problem.said === undefined ? [] : [`${dim('said:')} ${clean(problem.said)}`]),
    ...(isDeep(problem) ? [`${dim('at:')} ${clean(formatPath(problem.path ?? []))}`] : []),
    ...(problem.allowed === undefined ? [] : [`${dim('allowed:')} ${clean(problem.allowed)}`]),
    ...(problem.fix === undefined ? [] : [`${green('fix:')} ${clean(problem.fix)}`]),
    ...(problem.affects?.length ? [`${dim('affects:')} ${clean(problem.affects.join(', '))}`] : []),
    ...(problem.also ?? []).map((other) => `${dim('also:')} ${clean(whereOf(other))} ${clean(other.what)}`),
  ];
  const first = `${where === '' ? '' : `${bold(clean(where))}: `}${red(clean(problem.found))}`;
  return [first, ...details.map((detail) => `  ${detail}`)].map((line) => prose(line, options.width, 4)).join('\n');
}

/** All of them in the order of the files, each once; those without a place come last. Empty for none. */
export function formatProblems(problems: readonly Printable[], options: PrintOptions = {}): string {
  const texts = mergeByCause(problems)
    .sort(byLocation)
    .map((problem) => formatProblem(problem, options));
  return [...new Set(texts)].join('\n');
}

/** Longer than any honest sentence of ours; a value of a megabyte would bury the report. */
const LONGEST_LINE = 600;

function clean(text: string): string {
  return printableText(shorten(text, LONGEST_LINE));
}

function whereOf({ place, path, where }: { place?: Location; path?: PropertyKey[]; where?: string }): string {
  if (place !== undefined) return `${place.file}:${place.line}:${place.column}`;
  return path === undefined || path.length === 0 ? (where ?? '') : formatPath(path);
}

/** What was found names the last key; where that is not the whole path, the reader may need the rest. */
function isDeep({ place, path = [] }: Printable): boolean {
  return place !== undefined && path.length > 1;
}
