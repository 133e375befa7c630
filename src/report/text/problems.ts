/** Problems as text. */
import { createColors } from 'picocolors';
import { byLocation, mergeByCause, mergeByItem, type Problem } from '../../base/diagnostics/problem.ts';
import { shorten } from '../../base/diagnostics/valueWords.ts';
import { printableText } from '../../base/values/printable.ts';
import { errorAddress } from '../../docsAddress.ts';
import { locationText, problemDetails } from '../model/problemDetails.ts';
import { prose } from './layout.ts';

/** A problem, or an error of the service in the same form. */
export interface Printable extends Omit<Problem, 'code'> {
  code?: string;
  /** Printed before `found` if there is neither a location nor a path: `POST /zone/ips/migrate`. */
  where?: string;
  /** The message of the service. */
  said?: string;
}

interface PrintOptions {
  color?: boolean;
  /** True to show the address of the code: once for each code. */
  docs?: boolean;
  /** The width of the terminal. Without it, lines are not wrapped. */
  width?: number | undefined;
}

/**
 * Formats a problem as `file:line:column: found`, which editors and CI recognize, followed by indented details. Without a location, it
 * starts with the path of keys. Each field is one line: control characters are escaped, so that no text can look like another line of
 * the report or control the terminal.
 */
export function formatProblem(problem: Printable, options: PrintOptions = {}): string {
  const { bold, red, green, dim } = createColors(options.color ?? false);
  const where = locationText(problem) || (problem.where ?? '');
  // A path of one key is left out: `found` names the last one.
  const isDeep = problem.place !== undefined && (problem.path?.length ?? 0) > 1;
  const details = problemDetails(problem)
    .filter(({ name }) => name !== 'at' || isDeep)
    .map(({ name, names, text }) => {
      const paint = name === 'fix' ? green : dim;
      return [paint(`${name}:`), clean(names.join(', ')), clean(text)].filter((part) => part !== '').join(' ');
    });
  const docs =
    problem.code === undefined || options.docs !== true ? [] : [`${dim('docs:')} ${errorAddress(problem.code)}`];
  const first = `${where === '' ? '' : `${bold(clean(where))}: `}${red(clean(problem.found))}`;
  return [first, ...[...details, ...docs].map((detail) => `  ${detail}`)]
    .map((line) => prose(line, options.width, 4))
    .join('\n');
}

/** Formats all problems once each, sorted by file and line; those without a location come last. */
export function formatProblems(problems: readonly Printable[], options: PrintOptions = {}): string {
  const shown = new Set<string>();
  const codes = new Set<string | undefined>();
  return mergeByCause(mergeByItem(problems))
    .sort(byLocation)
    .flatMap((problem) => {
      const text = formatProblem(problem, { ...options, docs: false });
      if (shown.has(text)) return [];
      shown.add(text);
      const isFirst = !codes.has(problem.code);
      codes.add(problem.code);
      return [isFirst ? formatProblem(problem, options) : text];
    })
    .join('\n');
}

/** The limit is longer than every sentence of the program. Cuts long values, which would fill the report. */
const LONGEST_LINE = 600;

function clean(text: string): string {
  return printableText(shorten(text, LONGEST_LINE));
}
