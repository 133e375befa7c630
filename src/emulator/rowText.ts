/** Rows as text in the three formats of a snapshot, made as they are sent: a run of a million rows is never held. */

import { Readable } from 'node:stream';
import { columnsOf, type Row, type Run, rowsOf } from './core/runs.ts';

export const formats = ['json', 'ndjson', 'csv'] as const;

export type Format = (typeof formats)[number];

/** The body of an answer, and the header that says what it is. */
export function rowAnswer(run: Run, format: Format): { body: Readable; headers: Record<string, string> } {
  return { body: Readable.from(inPieces(rowText(run, format))), headers: { 'content-type': contentTypes[format] } };
}

const contentTypes: Record<Format, string> = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

/** In small parts, one or two a row. */
export function rowText(run: Pick<Run, 'source' | 'inputs'>, format: Format): Generator<string> {
  const rows = rowsOf(run);
  if (format === 'csv') return csvText(columnsOf(run), rows);
  return format === 'json' ? arrayText(rows) : lineText(rows);
}

function* arrayText(rows: Iterable<Row>): Generator<string> {
  let before = '[';
  for (const row of rows) {
    yield before + JSON.stringify(row);
    before = ',\n';
  }
  yield before === '[' ? '[]' : ']';
}

function* lineText(rows: Iterable<Row>): Generator<string> {
  for (const row of rows) yield `${JSON.stringify(row)}\n`;
}

/** RFC 4180. */
function* csvText(columns: readonly string[], rows: Iterable<Row>): Generator<string> {
  yield csvLine(columns);
  for (const row of rows) yield csvLine(columns.map((column) => row[column]));
}

const csvLine = (fields: readonly unknown[]): string => `${fields.map(csvField).join(',')}\r\n`;

function csvField(value: unknown): string {
  const text = typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const pieceLength = 64 * 1024;

function* inPieces(parts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const part of parts) {
    piece += part;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
