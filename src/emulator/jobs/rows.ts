/** Rows of a job, made one by one; each repeats its input. */
import { isMapValue } from '../../base/values/plain.ts';
import type { Source, SourceRow } from './runSchemas.ts';

/** Origin of rows. */
export interface RowPlan {
  source: Source;
  /** Id of the job. A text may contain it, so that the rows of two jobs differ. */
  run?: string;
  inputs: readonly SourceRow[];
}

/** Yields the rows in the account file. */
export function* rowsFrom({ source, run, inputs }: RowPlan): Generator<SourceRow> {
  const { rows, row, rowsPerInput } = source;
  const count = Array.isArray(rows) ? rows.length : (rows ?? inputs.length * rowsPerInput);
  for (let index = 0; index < count; index += 1) {
    const turn = rows === undefined ? Math.floor(index / rowsPerInput) : index % inputs.length;
    const input = inputs[turn] ?? {};
    const fields = Array.isArray(rows) ? rows[index] : (filled(row, { run, ...input, n: index + 1 }) as SourceRow);
    yield { ...fields, input };
  }
}

/** Returns the fields of these rows, for a table. */
export function columnsOf({ rows, row }: Source): string[] {
  const names = Array.isArray(rows) ? rows.flatMap((fields) => Object.keys(fields)) : Object.keys(row);
  return [...new Set([...names, 'input'])];
}

function filled(template: unknown, values: SourceRow): unknown {
  if (typeof template === 'string')
    return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => `${values[name] ?? ''}`);
  if (Array.isArray(template)) return template.map((item) => filled(item, values));
  if (!isMapValue(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([key, item]) => [key, filled(item, values)]));
}
