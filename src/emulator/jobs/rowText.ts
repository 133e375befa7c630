/** Rows as text in the three formats of a snapshot, generated while they are sent, so that a job of a million rows is never in memory. */
import { Readable } from 'node:stream';
import { csvRow, csvText } from '../../base/values/csv.ts';
import type { Job } from '../core/runs.ts';
import { columnsOf, type RowPlan, rowsFrom } from './rows.ts';
import type { SourceRow } from './runSchemas.ts';

export const formats = ['json', 'ndjson', 'csv'] as const;

export type Format = (typeof formats)[number];

export interface RowAnswer {
  body: Readable;
  headers: Record<string, string>;
}

/** Returns the body of an answer, and the header with its type. */
export function rowAnswer(run: Job, format: Format): RowAnswer {
  const { id, source, inputs } = run;
  const body = Readable.from(inPieces(rowText({ run: id, source, inputs }, format)));
  return { body, headers: { 'content-type': contentTypes[format] } };
}

const contentTypes: Record<Format, string> = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

/** Yields the text in small parts. */
export function rowText(plan: RowPlan, format: Format): Generator<string> {
  return writers[format](rowsFrom(plan), columnsOf(plan.source));
}

const writers: Record<Format, (rows: Iterable<SourceRow>, columns: readonly string[]) => Generator<string>> = {
  *json(rows) {
    let before = '[';
    for (const row of rows) {
      yield before + JSON.stringify(row);
      before = ',\n';
    }
    yield before === '[' ? '[]' : ']';
  },
  *ndjson(rows) {
    for (const row of rows) yield `${JSON.stringify(row)}\n`;
  },
  /** Writes RFC 4180. */
  *csv(rows, columns) {
    yield csvRow(columns);
    for (const row of rows) yield csvRow(columns.map((column) => csvText(row[column])));
  },
};

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
