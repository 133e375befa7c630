/**
 * Escapes text from outside for the Markdown of GitHub and GitLab. It cannot create structure, HTML, mentions (`@name`), references
 * (`#1`, `!2`), links or emoji, because everything but plain words is put in code spans. The text must be `printable` already.
 */
import { shorten } from '../../base/diagnostics/valueWords.ts';

export const longestName = 100;
/** This limit is longer than every sentence of the program. */
const longestSentence = 600;

/** Returns a name or a value as a code span. */
export function code(text: string, longest: number = longestName): string {
  return codeSpan(shorten(text, longest));
}

/** Returns a sentence in which only the words that Markdown could misread are code spans. */
export function escaped(text: string, longest: number = longestSentence): string {
  const tokens = shorten(text, longest).match(/`[^`]+`|\s+|[^\s`]+|`/gu) ?? [];
  return tokens.map(tokenText).reduce(apartFrom, '');
}

/** Escapes Markdown for the cell of a table, which ends at a bar even within a code span. */
export function cell(markdown: string): string {
  return markdown.replaceAll('|', '\\|');
}

/** Returns a code block. The fence of the block is longer than any fence in the text. */
export function fenced(language: string, lines: readonly string[]): string {
  const fence = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1));
  return [fence + language, ...lines, fence].join('\n');
}

function codeSpan(text: string): string {
  if (text === '') return '`""`';
  const fence = '`'.repeat(longestRun(text) + 1);
  // Markdown removes one space from each end if both have one.
  const room = /^`|`$|^ .* $/.test(text) && text.trim() !== '' ? ' ' : '';
  return fence + room + text + room + fence;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

/** Separates adjacent code spans, which would be read as one. */
function apartFrom(before: string, token: string): string {
  return before + (before.endsWith('`') && token.startsWith('`') ? ' ' : '') + token;
}

/** Words that are shown as they are, besides letters and digits. */
const plainSigns: ReadonlySet<string> = new Set(['→']);

function tokenText(token: string): string {
  if (token.trim() === '') return ' ';
  if (token.length > 1 && token.startsWith('`')) return codeSpan(token.slice(1, -1));
  const [, lead = '', core = '', trail = ''] = /^([("]*)(.*?)([,.;:)?"…]*)$/su.exec(token) ?? [];
  const isPlain = core === '' || plainSigns.has(core) || (isWord(core) && !(isNumber(core) && /^[.)]/.test(trail)));
  return lead + (isPlain ? core : codeSpan(core)) + trail;
}

/** Reports whether the text is a number, which would begin a list at the start of a line if a full stop followed. */
function isNumber(core: string): boolean {
  return /^\d+$/.test(core);
}

/** Reports whether GitHub and GitLab show the text unchanged. Hexadecimal digits may be a commit, digits after a dash an issue. */
function isWord(core: string): boolean {
  if (/^[\da-f]{7,}$/i.test(core)) return false;
  return /^(\p{L}[\p{L}\p{M}]*([-'’]\p{L}[\p{L}\p{M}]*)*|\d+)$/u.test(core);
}
