/** Lists as data: JSON, one entry a line, or CSV (RFC 4180). What the commands share that write them. */
import { type Command, Option } from 'commander';
import { type Problem, ProblemError } from '../../diagnostics/problem.ts';
import { printableText } from '../../report/model/printable.ts';
import type { Client } from '../../service/client.ts';
import { examples } from '../options/examples.ts';
import { withConnection } from '../options/options.ts';
import { type DataFlags, deliver, jsonText, withOutputFile } from './dataOutput.ts';
import { exitCodes, type Shell } from './io.ts';

const listFormats = ['json', 'ndjson', 'csv'] as const;

export type ListFormat = (typeof listFormats)[number];

export type Row = Readonly<Record<string, unknown>>;

export interface FormatFlags {
  format: ListFormat;
  exactCsv?: boolean;
}

export interface ListFlags extends DataFlags, FormatFlags {}

export function withList(command: Command): Command {
  return withFormat(withOutputFile(withConnection(command)));
}

export function withFormat(command: Command): Command {
  return command
    .addOption(formatOption())
    .option('--exact-csv', 'write CSV fields as they are, even if a spreadsheet would run them as formulas');
}

function formatOption(): Option {
  return new Option('--format <format>', 'all of it as JSON, or one entry a line').choices(listFormats).default('json');
}

/** Lists what is asked of the service about the argument of the command. */
export function addListing<Argument>(
  command: Command,
  usage: Readonly<Record<string, string>>,
  listing: (client: Client, argument: Argument, flags: FormatFlags) => Promise<string>,
  { io, end }: Shell,
): void {
  withList(command)
    .addHelpText('after', examples(usage))
    .action(async (argument: Argument, flags: ListFlags) => {
      await deliver(flags, io, async function* (client) {
        yield listing(client, argument, flags);
      });
      end(exitCodes.done);
    });
}

/** `whole` is what JSON shows: it may say more than its rows do. */
export function listText(
  whole: unknown,
  { format, exactCsv = false }: FormatFlags,
  columns: readonly string[],
  rows: readonly Row[],
): string {
  if (format === 'json') return jsonText(whole);
  if (format === 'ndjson') return rows.map(lineOf).join('');
  return [columns, ...rows.map((row) => columns.map((column) => row[column]))]
    .map((fields) => csvLine(fields, exactCsv))
    .join('');
}

/** Rows that are never all in memory, each on a line of its own. */
export async function* rowsText(rows: AsyncIterable<Row>, format: 'json' | 'ndjson'): AsyncGenerator<string> {
  let before = '[\n';
  for await (const row of rows) {
    yield format === 'json' ? before + JSON.stringify(row) : lineOf(row);
    before = ',\n';
  }
  if (format === 'json') yield before === '[\n' ? '[]\n' : '\n]\n';
}

/**
 * Rows that are never all in memory, as a table: the columns are the fields of the first one, and what is no text stands there as
 * JSON. @throws ProblemError for a row with another field, which the table would not show
 */
export async function* rowsCsv(rows: AsyncIterable<Row>, fix: string, isExact: boolean): AsyncGenerator<string> {
  let columns: string[] | undefined;
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (columns === undefined) {
      columns = Object.keys(row);
      yield csvLine(columns, isExact);
    }
    const known = columns;
    const other = Object.keys(row).find((name) => !known.includes(name));
    if (other !== undefined) throw new ProblemError([notTabular(count, other, fix)]);
    yield csvLine(
      known.map((column) => row[column]),
      isExact,
    );
  }
}

function notTabular(row: number, field: string, fix: string): Problem {
  const found = `row ${row} has the field ${field}, and the first row has not`;
  return { code: 'not-tabular', found, allowed: 'rows of the same fields, as CSV', fix };
}

function lineOf(row: Row): string {
  return `${JSON.stringify(row)}\n`;
}

function csvLine(fields: readonly unknown[], isExact: boolean): string {
  return `${fields.map((field) => csvField(field, isExact)).join(',')}\r\n`;
}

function csvField(value: unknown, isExact: boolean): string {
  const plain = typeof value === 'string' ? value : (JSON.stringify(value ?? undefined) ?? '');
  const text = isExact || typeof value !== 'string' ? plain : harmless(plain);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Text that a spreadsheet does not run as a formula and that does not steer a terminal. */
function harmless(text: string): string {
  const shown = text.replaceAll(controls, (character) => printableText(character));
  return formula.test(shown) ? `'${shown}` : shown;
}

/** Tabs and line breaks are data. */
const controls = /(?![\t\r\n])\p{Cc}/gu;

/** The beginnings that spreadsheets evaluate, but not signed numbers. */
const formula = /^(?:[=@\t\r\n＝＋－＠]|[+-](?!\d*\.?\d+$))/;
