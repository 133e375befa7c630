/** The rows of a run, made or read one by one: each echoes its input. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { isMapValue, parsedJson } from '../../values/plain.ts';
import { Refusal } from '../core/refusal.ts';
import type { Row } from '../core/runs.ts';
import type { Source } from './runSchemas.ts';

/** What rows come of. */
export interface RowPlan {
  source: Source;
  /** Its id: a text may name it, so that the rows of two runs differ. */
  run?: string;
  inputs: readonly Row[];
  /** The part of them that there is: 1, the default, is all. */
  share?: number;
}

/** The rows that the account itself says. */
export function* rowsOf({ source, run, inputs, share = 1 }: RowPlan): Generator<Row> {
  const { rows, row, rowsPerInput } = source;
  const all = Array.isArray(rows) ? rows.length : typeof rows === 'number' ? rows : inputs.length * rowsPerInput;
  const count = Math.floor(all * share);
  for (let index = 0; index < count; index += 1) {
    const turn = rows === undefined ? Math.floor(index / rowsPerInput) : index % inputs.length;
    const input = inputs[turn] ?? {};
    const fields = Array.isArray(rows) ? rows[index] : (filled(row, { run, ...input, n: index + 1 }) as Row);
    yield { ...fields, input };
  }
}

/** Fields that these rows have, for a table. */
export function columnsOf({ source: { rows, row } }: Pick<RowPlan, 'source'>): string[] {
  const names = Array.isArray(rows) ? rows.flatMap((fields) => Object.keys(fields)) : Object.keys(row);
  return [...new Set([...names, 'input'])];
}

/** How much of a file there is to read: its size, or so much of it as a run got to. @throws Refusal */
export async function sizeToRead(file: string, share: number): Promise<number> {
  try {
    await using handle = await open(file);
    return Math.floor((await handle.stat()).size * share);
  } catch (error) {
    throw new Refusal('invalid-request', `rows: ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/**
 * The rows of a file, one object a line, many at a time and never all. Where only a part of it is to be read, the line that
 * is cut off is none. @throws Error that names the line which is no row
 */
export async function* rowsOfFile(
  file: string,
  size: number,
  { inputs, share = 1 }: Omit<RowPlan, 'source' | 'run'>,
): AsyncGenerator<Row[]> {
  if (size === 0) return;
  let [rest, line, index] = ['', 0, 0];
  const toRows = (texts: string[]): Row[] =>
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

function parsedRow(text: string, place: string): Row {
  const value = parsedJson(text);
  if (isMapValue(value)) return value;
  throw new Error(`${place}: no JSON object`);
}

function filled(template: unknown, values: Row): unknown {
  if (typeof template === 'string')
    return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => `${values[name] ?? ''}`);
  if (Array.isArray(template)) return template.map((item) => filled(item, values));
  if (!isMapValue(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([key, item]) => [key, filled(item, values)]));
}
