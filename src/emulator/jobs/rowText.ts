/** Rows as text in the three formats of a snapshot, generated while they are sent, so that a job of a million rows is never in memory. */
import { Readable } from 'node:stream';
import type { Job } from '../core/runs.ts';
import { columnsOf, type RowPlan, rowsFrom, rowsOfFile, sizeToRead } from './rows.ts';
import type { SourceRow } from './runSchemas.ts';

export const formats = ['json', 'ndjson', 'csv'] as const;

export type Format = (typeof formats)[number];

export interface RowAnswer {
  body: Readable;
  headers: Record<string, string>;
}

/** Returns the body of an answer, and the header with its type. @throws Refusal if the file of its rows cannot be read */
export async function rowAnswer(run: Job, format: Format): Promise<RowAnswer> {
  const plan: RowPlan = { source: run.source, run: run.id, inputs: await run.inputs(), share: run.share };
  const { rows } = run.source;
  const pieces =
    typeof rows === 'string'
      ? filePieces(run, { ...plan, file: rows, size: await sizeToRead(rows, run.share) }, format)
      : inPieces(rowText(plan, format));
  return { body: Readable.from(pieces), headers: { 'content-type': contentTypes[format] } };
}

const contentTypes: Record<Format, string> = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

/** Yields the rows in the account file, in small parts. */
export function* rowText(plan: RowPlan, format: Format): Generator<string> {
  const writer = writers[format](columnsOf(plan));
  for (const row of rowsFrom(plan)) yield writer.row(row);
  yield writer.end();
}

async function* filePieces(
  run: Job,
  { file, size, ...plan }: RowPlan & { file: string; size: number },
  format: Format,
): AsyncGenerator<string> {
  const writer = writers[format]();
  try {
    for await (const rows of rowsOfFile(file, size, plan)) if (rows.length > 0) yield rows.map(writer.row).join('');
  } catch (error) {
    // The answer breaks off, so the job records the reason.
    run.problem = (error as Error).message;
    throw error;
  }
  yield writer.end();
}

interface Writer {
  row(row: SourceRow): string;
  end(): string;
}

/** Writers by format. `columns` of a table are by default those of its first row. */
const writers: Record<Format, (columns?: readonly string[]) => Writer> = {
  json() {
    let before = '[';
    return {
      row(row) {
        const text = before + JSON.stringify(row);
        before = ',\n';
        return text;
      },
      end: () => (before === '[' ? '[]' : ']'),
    };
  },
  ndjson: () => ({ row: (row) => `${JSON.stringify(row)}\n`, end: () => '' }),
  /** Writes RFC 4180. */
  csv(columns) {
    let head = columns;
    let before = columns === undefined ? '' : csvLine(columns);
    return {
      row(row) {
        if (head === undefined) {
          head = Object.keys(row);
          before = csvLine(head);
        }
        const text = before + csvLine(head.map((column) => row[column]));
        before = '';
        return text;
      },
      end: () => before,
    };
  },
};

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
