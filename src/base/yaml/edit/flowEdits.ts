/** Edits of lists and maps in brackets, on one line or with one item a line. No comment is lost. */

import { rangesOf } from '../../values/ranges.ts';
import type { Done } from './blockEdits.ts';
import type { Comments } from './comments.ts';
import type { TextEdits } from './textEdits.ts';

/** The offsets of an item of a list, or of an entry of a map with its key. */
export interface Span {
  from: number;
  to: number;
}

interface FlowCollection {
  items: readonly Span[];
  /** The offset of the closing bracket. */
  close: number;
}

/** Inserts items, as text, after the one with this index, or before all for -1. */
export function addFlowItems(
  { items, close }: FlowCollection,
  after: number,
  texts: readonly string[],
  edits: TextEdits,
  comments: Comments,
): Done {
  const neighbour = items[Math.max(after, 0)];
  if (neighbour === undefined) {
    const isPadded = edits.text[close - 1] === ' ';
    edits.insert(close, texts.join(', ') + (isPadded ? ' ' : ''));
    return true;
  }
  const { from, to } = neighbour;
  const indent = edits.before(from);
  const isOnOwnLine = indent.trim() === '';
  if (after < 0) {
    edits.insert(from, texts.map((text) => `${text},${isOnOwnLine ? edits.newline + indent : ' '}`).join(''));
    return true;
  }
  const next = nextToken(to, edits.text, comments);
  const hasComma = edits.text[next] === ',';
  const lineEnd = edits.lineEnd(to);
  if (
    !isOnOwnLine ||
    close < lineEnd ||
    (hasComma && next > lineEnd) ||
    !isRestBlank(hasComma ? next + 1 : to, edits, comments)
  ) {
    edits.insert(to, texts.map((text) => `, ${text}`).join(''));
    return true;
  }
  if (!hasComma) edits.insert(to, ',');
  const lines = texts.map((text, index) => `${indent}${text}${hasComma || index < texts.length - 1 ? ',' : ''}`);
  edits.insertLinesBelow(to, lines);
  return true;
}

export function removeFlowItems(
  { items }: FlowCollection,
  removed: readonly number[],
  edits: TextEdits,
  comments: Comments,
): Done {
  const lines = removed.filter((index) => isLine(items[index], edits, comments));
  const runs = rangesOf(removed.filter((index) => !lines.includes(index)));
  const isBelowLine = (index: number) => lines.includes(index - 1);
  const ranges = runs.map(([first, last]) => {
    const before = isBelowLine(first) ? undefined : items[first - 1];
    return rangeOfRun(before, { from: items[first]?.from ?? 0, to: items[last]?.to ?? 0 }, edits, comments);
  });
  if (ranges.includes(undefined)) return false;
  const [first = 0, last] = runs.at(-1) ?? [];
  if (lines.includes(items.length - 1) || (last === items.length - 1 && isBelowLine(first))) {
    removeCommaBeforeEnd(items, removed, edits, comments);
  }
  for (const range of ranges) if (range) edits.replace(range.from, range.to, '');
  for (const index of lines) {
    const { from = 0 } = items[index] ?? {};
    const [start, end] = [edits.lineStart(from), edits.nextLine(from)];
    if (comments.isBetween(start, end)) edits.insert(from, '# ');
    else edits.replace(start, end, '');
  }
  return true;
}

/** A list whose last line had no comma gets none: JSON does not allow it. */
function removeCommaBeforeEnd(
  items: readonly Span[],
  removed: readonly number[],
  edits: TextEdits,
  comments: Comments,
): void {
  const [last, kept] = [items.at(-1), items.findLast((_, index) => !removed.includes(index))];
  if (last === undefined || kept === undefined || edits.text[nextToken(last.to, edits.text, comments)] === ',') return;
  const comma = nextToken(kept.to, edits.text, comments);
  edits.replace(comma, comma + 1, '');
}

/** Reports whether the item has one line for itself, with its comma. */
function isLine(item: Span | undefined, edits: TextEdits, comments: Comments): boolean {
  if (item === undefined || edits.before(item.from).trim() !== '') return false;
  if (edits.text.slice(item.from, item.to).includes('\n')) return false;
  const next = nextToken(item.to, edits.text, comments);
  const isComma = edits.text[next] === ',' && next < edits.lineEnd(item.to);
  // A comma on a later line would be left behind.
  if (!isComma && edits.text[next] === ',') return false;
  return isRestBlank(isComma ? next + 1 : item.to, edits, comments);
}

/** Returns the text to remove for neighbouring items: with the comma after them, or before them at the end of the list. */
function rangeOfRun(
  before: Span | undefined,
  { from, to }: Span,
  edits: TextEdits,
  comments: Comments,
): Span | undefined {
  const { text } = edits;
  const next = nextToken(to, text, comments);
  if (text[next] === ',') {
    const spaces = /^[ \t]*/.exec(text.slice(next + 1))?.[0].length ?? 0;
    const end = next + 1 + spaces;
    return comments.isBetween(from, end) ? undefined : { from, to: end };
  }
  const start = before === undefined ? from : nextToken(before.to, text, comments);
  if (!comments.isBetween(start, to)) return { from: start, to };
  return comments.isBetween(from, to) ? undefined : { from, to };
}

/** Returns the offset of the next character that is neither space nor part of a comment. */
function nextToken(offset: number, text: string, comments: Comments): number {
  for (let at = offset; ; ) {
    while (/\s/.test(text[at] ?? '')) at += 1;
    const end = comments.endOf(at);
    if (end === undefined) return at;
    at = end;
  }
}

function isRestBlank(offset: number, edits: TextEdits, comments: Comments): boolean {
  const next = nextToken(offset, edits.text, comments);
  return next >= edits.lineEnd(offset);
}
