/**
 * Text from outside in Markdown: it can't make structure, HTML, mentions (`@name`), references (`#1`, `!2`), links or emoji, on
 * GitHub and on GitLab, because all that is not a plain word stands in a code span. What is given here is `printable` already.
 */
import { shorten } from '../../diagnostics/valueWords.ts';

export const longestName = 100;
/** Longer than any honest sentence of ours. */
const longestSentence = 600;

/** A name or a value as a code span. */
export function code(text: string, longest: number = longestName): string {
  return codeSpan(shorten(text, longest));
}

/** A sentence in which only what could be misread is a code span. */
export function escaped(text: string, longest: number = longestSentence): string {
  const tokens = shorten(text, longest).match(/`[^`]+`|\s+|[^\s`]+|`/gu) ?? [];
  return tokens.map(tokenText).reduce(apartFrom, '');
}

/** The same in a cell of a table, which ends at a bar even within a code span. */
export function cell(markdown: string): string {
  return markdown.replaceAll('|', '\\|');
}

/** A block of lines as they stand. The fence is longer than any in it. */
export function fenced(language: string, lines: readonly string[]): string {
  const fence = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1));
  return [fence + language, ...lines, fence].join('\n');
}

function codeSpan(text: string): string {
  if (text === '') return '`""`';
  const fence = '`'.repeat(longestRun(text) + 1);
  // One space is taken off each end where both have one.
  const room = /^`|`$|^ .* $/.test(text) && text.trim() !== '' ? ' ' : '';
  return fence + room + text + room + fence;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

/** Two code spans side by side would be read as one. */
function apartFrom(before: string, token: string): string {
  return before + (before.endsWith('`') && token.startsWith('`') ? ' ' : '') + token;
}

const arrows: ReadonlyMap<string, string> = new Map([
  ['->', '→'],
  ['<-', '←'],
]);

function tokenText(token: string): string {
  if (token.trim() === '') return ' ';
  if (token.length > 1 && token.startsWith('`')) return codeSpan(token.slice(1, -1));
  const [, lead = '', core = '', trail = ''] = /^([("]*)(.*?)([,.;:)?"…]*)$/su.exec(token) ?? [];
  const isPlain = core === '' || (isWord(core) && !(isNumber(core) && /^[.)]/.test(trail)));
  return lead + (isPlain ? core : (arrows.get(core) ?? codeSpan(core))) + trail;
}

/** A number at the head of a line would begin a list if a full stop followed. */
function isNumber(core: string): boolean {
  return /^\d+$/.test(core);
}

/** What neither forge reads as anything: hexadecimal digits may be a commit, and digits after a dash an issue. */
function isWord(core: string): boolean {
  if (/^[\da-f]{7,}$/i.test(core)) return false;
  return /^(\p{L}[\p{L}\p{M}]*([-'’]\p{L}[\p{L}\p{M}]*)*|\d+)$/u.test(core);
}
