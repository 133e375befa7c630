/** Lays out rows: aligned cells, followed by words that wrap at the width of the terminal. Color codes have no width. */
import { stripVTControlCharacters } from 'node:util';

export interface TextRow {
  /** Cells that are aligned with those of the other rows. */
  cells: string[];
  /** Words after the cells. Lines break only between two of them. */
  words: string[];
}

/** Wider cells do not widen their column. */
const widestColumn = 30;
/** With less room beside the cells, the words start on the next line. */
const leastRoom = 24;
/** The least width for prose. */
const leastProse = 40;
/** The number of blanks between two columns. */
export const columnGap = 2;
const gap = ' '.repeat(columnGap);

/** Removes blanks at the end of a line, also before and between the escape codes of colors. */
function withoutBlankEnd(line: string): string {
  return line.replace(/(?:\s|\p{Cc}\[\d+m)+$/u, (end) => end.replaceAll(/\s/g, ''));
}

/** Joins blocks of lines by empty lines, without those that have none. */
export function blocksText(blocks: readonly (readonly string[])[]): string {
  const texts = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

export function table(rows: readonly TextRow[], indent: number, width: number): string[] {
  const columns = columnWidths(rows);
  return rows.flatMap(({ cells, words }) => {
    const padded = cells.map((cell, index) => cell + ' '.repeat(Math.max(0, (columns[index] ?? 0) - columnsOf(cell))));
    const head = ' '.repeat(indent) + padded.join(gap);
    return words.length === 0 ? [withoutBlankEnd(head)] : hanging(head + gap, words, indent + 4, width);
  });
}

/**
 * Puts words after a head and aligns further lines with the first word. The words start below the head in a narrow terminal, and if one of
 * them does not fit beside it.
 */
export function hanging(head: string, words: readonly string[], indentBelow: number, width: number): string[] {
  const start = columnsOf(head);
  const beside = wrapped(words, width - start);
  if (beside.length === 1 && columnsOf(beside[0] ?? '') <= width - start) return [head + beside[0]];
  const widest = words.reduce((most, word) => Math.max(most, columnsOf(word)), 0);
  if (width - start >= Math.max(leastRoom, widest))
    return beside.map((line, index) => (index === 0 ? head : ' '.repeat(start)) + line);
  return [withoutBlankEnd(head), ...wrapped(words, width - indentBelow).map((line) => ' '.repeat(indentBelow) + line)];
}

/**
 * Breaks a line between words at the width of the terminal. Without a width, for files and programs, returns one line.
 */
export function prose(line: string, width: number | undefined, indentBelow = 0): string {
  if (width === undefined || columnsOf(line) <= width) return line;
  const indent = /^ */.exec(line)?.[0] ?? '';
  const below = ' '.repeat(indentBelow);
  const lines = wrapped(
    line.trimStart().split(' '),
    Math.max(width, leastProse) - Math.max(indent.length, indentBelow),
  );
  return lines.map((text, index) => (index === 0 ? indent : below) + text).join('\n');
}

function columnWidths(rows: readonly TextRow[]): number[] {
  const columns: number[] = [];
  for (const { cells } of rows) {
    for (const [index, cell] of cells.entries()) {
      const width = columnsOf(cell);
      if (width <= widestColumn) columns[index] = Math.max(columns[index] ?? 0, width);
    }
  }
  return columns;
}

function wrapped(words: readonly string[], room: number): string[] {
  const lines: string[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const word of words) {
    const width = columnsOf(word);
    const fits = used + 1 + width <= room;
    used = fits ? used + 1 + width : columnsOf(word.trimStart());
    if (fits) lines.at(-1)?.push(word);
    else lines.push([word.trimStart()]);
  }
  return lines.map((line) => line.join(' '));
}

function columnsOf(text: string): number {
  return stripVTControlCharacters(text).length;
}
