/** Lists as aligned columns for people. */
import { formatNumber } from '../../diagnostics/valueWords.ts';
import { printableText } from '../../report/model/printable.ts';
import { type TextRow, table } from '../../report/text/layout.ts';

export interface TableOptions {
  /** The width of the terminal. */
  width?: number | undefined;
}

const usualWidth = 80;
const leastWidth = 40;

/**
 * Formats rows under the titles of their columns. Numbers are aligned on the right. Lines break within the last column only, and columns
 * in which no row has a value are left out.
 */
export function tableText(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
  { width = usualWidth }: TableOptions,
): string {
  if (rows.length === 0) return 'None.\n';
  const shown = columns.filter((column) => rows.some((row) => !isNothing(row[column])));
  const texts = shown.map((column) => aligned(column, rows));
  // Text in the last column may wrap. Numbers keep their alignment.
  const last = shown.length > 1 && !isNumeric(shown.at(-1) ?? '', rows) ? shown.length - 1 : undefined;
  const lines = rows.map((_, index): TextRow => {
    const cells = texts.map((column) => column[index + 1] ?? '');
    if (last === undefined) return { cells, words: [] };
    return { cells: cells.slice(0, last), words: (cells[last] ?? '').split(/(?<=\S) /) };
  });
  const head: TextRow = { cells: texts.map(([title = '']) => title), words: [] };
  return `${table([head, ...lines], 0, Math.max(width, leastWidth)).join('\n')}\n`;
}

/** Formats the fields of an object, a row each. Lists of objects are tables of their own, below. */
export function factsText(facts: Readonly<Record<string, unknown>>, options: TableOptions): string {
  const lists = Object.entries(facts).filter(([, value]) => isListOfObjects(value));
  const rows = Object.entries(facts)
    .filter(([name]) => !lists.some(([list]) => list === name))
    .map(([field, value]) => ({ field, value: factText(value) }));
  const tables = lists.map(([name, value]) => {
    const its = value as Record<string, unknown>[];
    const columns = [...new Set(its.flatMap((row) => Object.keys(row)))];
    return `\n${printableText(name)}\n${tableText(columns, its, options)}`;
  });
  return [tableText(['field', 'value'], rows, options), ...tables].join('');
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'object' && item !== null);
}

/** Numbers are values here, not counts. */
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
  const widest = Math.max(...texts.map((text) => text.length));
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
