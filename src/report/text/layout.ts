/** Lines from rows: cells that align, and words that break at the width under the first of them. Colours take no room. */
import { stripVTControlCharacters } from 'node:util';

export interface Row {
  /** Aligned with those of the other rows. */
  cells: string[];
  /** What follows the cells; a line is broken between two of them only. */
  words: string[];
}

/** Cells wider than this do not widen the column of the others. */
const widestColumn = 30;
/** With less room than this beside its cells, a list stands below them. */
const leastRoom = 24;
/** Prose in less than this would be a column of words. */
const leastProse = 40;
const gap = '  ';

export function table(rows: readonly Row[], indent: number, width: number): string[] {
  const columns = columnWidths(rows);
  return rows.flatMap(({ cells, words }) => {
    const padded = cells.map((cell, index) => cell + ' '.repeat(Math.max(0, (columns[index] ?? 0) - columnsOf(cell))));
    const head = ' '.repeat(indent) + padded.join(gap);
    return words.length === 0 ? [head.trimEnd()] : hanging(head + gap, words, indent + 4, width);
  });
}

/** The words after a head, and under their first one where they need more lines; in a narrow place, below the head. */
export function hanging(head: string, words: readonly string[], indentBelow: number, width: number): string[] {
  const start = columnsOf(head);
  const beside = wrapped(words, width - start);
  if (beside.length === 1 && columnsOf(beside[0] ?? '') <= width - start) return [head + beside[0]];
  if (width - start >= leastRoom) return beside.map((line, index) => (index === 0 ? head : ' '.repeat(start)) + line);
  return [head.trimEnd(), ...wrapped(words, width - indentBelow).map((line) => ' '.repeat(indentBelow) + line)];
}

/**
 * A line of prose, broken between words where a terminal of that width would break it anywhere. Without a width it stays one line:
 * it goes to a file or a program.
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

function columnWidths(rows: readonly Row[]): number[] {
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
