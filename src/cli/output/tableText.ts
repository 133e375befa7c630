/** Lists as aligned columns for people. */
import { formatNumber } from '../../base/diagnostics/valueWords.ts';
import { printableText } from '../../base/values/printable.ts';
import { columnGap, prose, type TextRow, table } from '../../report/text/layout.ts';

export interface TableOptions {
  /** The width of the terminal. */
  width?: number | undefined;
}

const usualWidth = 80;
const leastWidth = 40;

/**
 * Formats rows under the titles of their columns. Numbers are aligned on the right. Lines break within the last column only, and columns
 * in which no row has a value are left out. Columns that do not fit the terminal are shown below their row, as `title: value`.
 */
export function tableText(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
  { width = usualWidth }: TableOptions,
): string {
  if (rows.length === 0) return 'None.\n';
  const room = Math.max(width, leastWidth);
  const shown = columns.filter((column) => rows.some((row) => !isNothing(row[column])));
  const texts = shown.map((column) => aligned(column, rows));
  // Text in the last column may wrap. Numbers keep their alignment.
  const last = shown.length > 1 && !isNumeric(shown.at(-1) ?? '', rows) ? shown.length - 1 : undefined;
  const unbroken = texts.slice(0, last);
  const fitting = fittingColumns(unbroken, room);
  const cellsOf = (line: number, count?: number) => texts.slice(0, count).map((column) => column[line] ?? '');
  if (fitting < unbroken.length) {
    const all = Array.from({ length: rows.length + 1 }, (_, line) => ({ cells: cellsOf(line, fitting), words: [] }));
    const [head = '', ...lines] = table(all, 0, room);
    const below = rows.map((row) => factsBelow(row, shown.slice(fitting), room));
    return [head, ...lines.flatMap((line, index) => [line, ...(below[index] ?? [])]), ''].join('\n');
  }
  const lines = rows.map((_, index): TextRow => {
    const words = last === undefined ? [] : (texts[last]?.[index + 1] ?? '').split(/(?<=\S) /);
    return { cells: cellsOf(index + 1, last), words };
  });
  return `${table([{ cells: cellsOf(0), words: [] }, ...lines], 0, room).join('\n')}\n`;
}

/** Returns how many of the first columns fit beside each other, at least one. */
function fittingColumns(columns: readonly string[][], width: number): number {
  let used = 0;
  const cut = columns.findIndex((texts, index) => {
    used += (index === 0 ? 0 : columnGap) + widestOf(texts);
    return used > width;
  });
  return cut === -1 ? columns.length : Math.max(cut, 1);
}

function factsBelow(row: Readonly<Record<string, unknown>>, columns: readonly string[], width: number): string[] {
  const facts = columns
    .filter((column) => !isNothing(row[column]))
    .map((column) => `${titleOf(column).toLowerCase()}: ${cellText(row[column])}`);
  return facts.length === 0 ? [] : [prose(`    ${facts.join(', ')}`, width, 4)];
}

function widestOf(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, text.length), 0);
}

/** Formats the fields of an object, a row each. Lists of objects are tables of their own, below. */
export function factsText(facts: Readonly<Record<string, unknown>>, options: TableOptions): string {
  const lists = Object.entries(facts).filter(([, value]) => isListOfObjects(value));
  const rows = Object.entries(facts)
    .filter(([name]) => !lists.some(([list]) => list === name))
    .map(([field, value]) => ({ field, value: factText(value) }));
  const tables = lists.map(([name, value]) => {
    const rows = value as Record<string, unknown>[];
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    return `\n${printableText(name)}\n${tableText(columns, rows, options)}`;
  });
  return [tableText(['field', 'value'], rows, options), ...tables].join('');
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'object' && item !== null);
}

/** Formats a value. A number is not grouped by thousands, because it may be an id. */
function factText(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(cellText).join(', ');
  return cellText(value);
}

/** Returns the title and the cells of a column. */
function aligned(column: string, rows: readonly Readonly<Record<string, unknown>>[]): string[] {
  const values = rows.map((row) => row[column]);
  const texts = [titleOf(column), ...values.map(cellText)];
  if (!isNumeric(column, rows)) return texts;
  const widest = widestOf(texts);
  return texts.map((text) => text.padStart(widest));
}

function isNumeric(column: string, rows: readonly Readonly<Record<string, unknown>>[]): boolean {
  return rows.every((row) => typeof row[column] === 'number' || isNothing(row[column]));
}

/** `nextTickAt` as `NEXT TICK AT`. */
function titleOf(column: string): string {
  return printableText(column)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase();
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function cellText(value: unknown): string {
  if (isNothing(value)) return '–';
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return printableText(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}
