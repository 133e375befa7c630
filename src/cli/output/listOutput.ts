/** Lists as a table, as JSON, as one JSON object per line, or as CSV (RFC 4180). */
import type { Command } from 'commander';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { csvRow, csvText } from '../../base/values/csv.ts';
import { jsonText, printableText } from '../../base/values/printable.ts';
import type { Client } from '../../client/client.ts';
import { withConnection } from '../options/options.ts';
import { addExamples, formatOption } from '../options/values.ts';
import { type DataFlags, fetchAndWrite, withDataFile } from './dataOutput.ts';
import { exitCodes, type Io, type Shell } from './io.ts';
import { factsText, type TableOptions, tableText } from './tableText.ts';

const listFormats = ['json', 'ndjson', 'csv'] as const;

export const tableFormats = ['table', ...listFormats] as const;

export type ListRow = Readonly<Record<string, unknown>>;

export interface FormatFlags {
  format: (typeof listFormats)[number];
}

/** The flags of `withTable`. */
export interface TableFlags extends DataFlags {
  format: (typeof tableFormats)[number];
}

/** The format and the width of a list. */
export interface ListStyle extends TableOptions, Pick<TableFlags, 'format'> {}

export function listStyle({ format }: Pick<TableFlags, 'format'>, { stdout }: Io): ListStyle {
  return { format, width: stdout.columns };
}

/** Adds the options of a command that lists a few things. */
export function withTable(command: Command): Command {
  return withDataFile(withConnection(command)).addOption(formatOption(tableFormats));
}

export function withFormat(command: Command): Command {
  return command.addOption(formatOption(listFormats));
}

/** Adds the options of a command that shows one thing. */
export function withFacts(command: Command): Command {
  return withDataFile(withConnection(command)).addOption(formatOption(['table', 'json']));
}

/** Returns one thing as text. */
export function itemText(facts: object, style: ListStyle): string {
  return style.format === 'table' ? factsText({ ...facts }, style) : jsonText(facts);
}

/** Adds a command that lists data of the service about its argument. */
export function addListing<Argument>(
  command: Command,
  usage: Readonly<Record<string, string>>,
  listing: (client: Client, argument: Argument, style: ListStyle) => Promise<string>,
  { io, end }: Shell,
): void {
  withTable(command).action(async (argument: Argument, flags: TableFlags) => {
    await fetchAndWrite(flags, io, async function* (client) {
      yield listing(client, argument, listStyle(flags, io));
    });
    end(exitCodes.done);
  });
  addExamples(command, usage);
}

/** Returns a list as text. JSON shows `whole`, which may hold more than the rows. */
export function listText(
  whole: unknown,
  { format, ...style }: ListStyle,
  columns: readonly string[],
  rows: readonly ListRow[],
): string {
  if (format === 'table') return tableText(columns, rows, style);
  if (format === 'json') return jsonText(whole);
  if (format === 'ndjson') return rows.map(lineOf).join('');
  return [columns, ...rows.map((row) => columns.map((column) => row[column]))].map(csvLine).join('');
}

/** Yields rows as JSON, one per line, without holding them all in memory. */
export async function* rowsText(rows: AsyncIterable<ListRow>, format: 'json' | 'ndjson'): AsyncGenerator<string> {
  let before = '[\n';
  for await (const row of rows) {
    yield format === 'json' ? before + JSON.stringify(row) : lineOf(row);
    before = ',\n';
  }
  if (format === 'json') yield before === '[\n' ? '[]\n' : '\n]\n';
}

/**
 * Yields rows as CSV without holding them all in memory. The columns are the fields of the first row; values other than text are
 * written as JSON. @throws ProblemError for a row with another field, which the table would not show
 */
export async function* rowsCsv(rows: AsyncIterable<ListRow>, fix: string): AsyncGenerator<string> {
  let columns: string[] | undefined;
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (columns === undefined) {
      columns = Object.keys(row);
      yield csvLine(columns);
    }
    const known = columns;
    const other = Object.keys(row).find((name) => !known.includes(name));
    if (other !== undefined) throw new ProblemError([notTabular(count, other, fix)]);
    yield csvLine(known.map((column) => row[column]));
  }
}

function notTabular(row: number, field: string, fix: string): Problem {
  const found = `row ${row} has the field ${field}, which the first row does not have`;
  return { code: 'not-tabular', found, allowed: 'as CSV, rows with the same fields', fix };
}

function lineOf(row: ListRow): string {
  return `${JSON.stringify(row)}\n`;
}

function csvLine(fields: readonly unknown[]): string {
  return csvRow(fields.map((value) => (typeof value === 'string' ? harmless(value) : csvText(value))));
}

/** Returns text that no spreadsheet runs as a formula and that does not control a terminal. */
function harmless(text: string): string {
  const shown = text.replaceAll(controls, (character) => printableText(character));
  return formula.test(shown) ? `'${shown}` : shown;
}

/** Tabs and line breaks are data. */
const controls = /(?![\t\r\n])\p{Cc}/gu;

/** The beginnings that spreadsheets evaluate, but not signed numbers. Spreadsheets drop a byte order mark before the first of them. */
const formula = /^\p{Cf}*(?:[=@\t\r\n＝＋－＠]|[+-](?!\d*\.?\d+$))/u;
