/** Rows of a job, generated or read one by one; each repeats its input. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { isMapValue, parsedJson } from '../../base/values/plain.ts';
import { Refusal } from '../core/refusal.ts';
import type { Source, SourceRow } from './runSchemas.ts';

/** Origin of rows. */
export interface RowPlan {
  source: Source;
  /** Id of the job. A text may contain it, so that the rows of two jobs differ. */
  run?: string;
  inputs: readonly SourceRow[];
  /** Share of the rows that exists. Default 1: all. */
  share?: number;
}

/** Yields the rows in the account file. */
export function* rowsFrom({ source, run, inputs, share = 1 }: RowPlan): Generator<SourceRow> {
  const { rows, row, rowsPerInput } = source;
  const all = Array.isArray(rows) ? rows.length : typeof rows === 'number' ? rows : inputs.length * rowsPerInput;
  const count = Math.floor(all * share);
  for (let index = 0; index < count; index += 1) {
    const turn = rows === undefined ? Math.floor(index / rowsPerInput) : index % inputs.length;
    const input = inputs[turn] ?? {};
    const fields = Array.isArray(rows) ? rows[index] : (filled(row, { run, ...input, n: index + 1 }) as SourceRow);
    yield { ...fields, input };
  }
}

/** Returns the fields of these rows, for a table. */
export function columnsOf({ source: { rows, row } }: Pick<RowPlan, 'source'>): string[] {
  const names = Array.isArray(rows) ? rows.flatMap((fields) => Object.keys(fields)) : Object.keys(row);
  return [...new Set([...names, 'input'])];
}

/** Returns the number of bytes to read of a file: its size, or the share that a job finished. @throws Refusal */
export async function sizeToRead(file: string, share: number): Promise<number> {
  try {
    await using handle = await open(file);
    return Math.floor((await handle.stat()).size * share);
  } catch (error) {
    throw new Refusal('invalid-request', `rows: ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/**
 * Yields the rows of a file with one object per line, many at a time and never all. If only a part of it is read, an incomplete last line
 * is skipped.
 * @throws Error that names the line which is not a row
 */
export async function* rowsOfFile(
  file: string,
  size: number,
  { inputs, share = 1 }: Omit<RowPlan, 'source' | 'run'>,
): AsyncGenerator<SourceRow[]> {
  if (size === 0) return;
  let [rest, line, index] = ['', 0, 0];
  const toRows = (texts: string[]): SourceRow[] =>
    texts.flatMap((text) => {
      line += 1;
      if (text.trim() === '') return [];
      const input = inputs[index % inputs.length] ?? {};
      index += 1;
      return [{ ...parsedRow(text, `${file}:${line}`), input }];
    });
  for await (const piece of createReadStream(file, { encoding: 'utf8', end: size - 1, highWaterMark: 256 * 1024 })) {
    const texts = `${rest}${piece}`.split('\n');
    rest = texts.pop() ?? '';
    yield toRows(texts);
  }
  if (share === 1 || parsedJson(rest) !== undefined) yield toRows([rest]);
}

function parsedRow(text: string, place: string): SourceRow {
  const value = parsedJson(text);
  if (isMapValue(value)) return value;
  throw new Error(`${place}: not a JSON object`);
}

function filled(template: unknown, values: SourceRow): unknown {
  if (typeof template === 'string')
    return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => `${values[name] ?? ''}`);
  if (Array.isArray(template)) return template.map((item) => filled(item, values));
  if (!isMapValue(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([key, item]) => [key, filled(item, values)]));
}
