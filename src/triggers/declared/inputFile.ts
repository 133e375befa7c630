/** Reads inputs from a file: a CSV with a column for each field, a JSON list of objects, or NDJSON. */
import { CsvError, type Info, parse } from 'csv-parse/sync';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { describeValue, shorten } from '../../base/diagnostics/valueWords.ts';
import { isMapValue } from '../../base/values/plain.ts';
import { inexactInJson, inexactNumber } from '../../base/yaml/exactNumbers.ts';
import { repeatedKeyIn, repeatedKeyProblem } from '../../base/yaml/jsonKeys.ts';
import { cellValue, type Input, type InputSchema, type Rows } from './inputSchema.ts';

/** `file` is the name in the declaration. @throws ProblemError for anything but a list of inputs */
export function parseInputFile(text: string, file: string, schema: InputSchema | undefined): Rows {
  const rows = rowsIn(text.replace(/^\uFEFF/, ''), file, schema);
  if (rows.length === 0) throw wrongFile(file, 'it contains no inputs');
  return {
    inputs: rows.map(({ input }) => input),
    rowName: (index) => rows[index]?.place ?? file,
    pathOf: () => ['inputs', 'file'],
  };
}

interface Row {
  input: Input;
  /** `prices.csv:4`, if line numbers are known. */
  place: string;
}

/** The declaration allows no other endings. */
function rowsIn(text: string, file: string, schema: InputSchema | undefined): Row[] {
  if (file.endsWith('.csv')) return csvRows(text, file, schema);
  return file.endsWith('.json') ? jsonRows(text, file) : lineRows(text, file);
}

/** Leaves out empty cells, which the collector reads as null. */
function csvRows(text: string, file: string, schema: InputSchema | undefined): Row[] {
  return recordsIn(text, file, schema).map(({ record, info }) => {
    const place = `${file}:${info.lines}`;
    const cells = Object.entries(record).filter(([, cell]) => cell !== '');
    const typed = (column: string, cell: string) => {
      const value = cellValue(schema, column, cell);
      if (value === undefined) throw wrongNumber(`${place}, column ${column}`, cell, declareText);
      return value;
    };
    return { input: Object.fromEntries(cells.map(([column, cell]) => [column, typed(column, cell)])), place };
  });
}

function recordsIn(
  text: string,
  file: string,
  schema: InputSchema | undefined,
): { record: Record<string, string>; info: Info }[] {
  try {
    const columns = (header: string[]) => distinctColumns(header, file, schema);
    const options = { columns, info: true, skip_empty_lines: true, trim: true };
    return parse(text, options) as unknown as ReturnType<typeof recordsIn>;
  } catch (error) {
    if (error instanceof CsvError) throw wrongFile(`${file}:${error.lines ?? 1}`, error.message);
    throw error;
  }
}

function distinctColumns(header: string[], file: string, schema: InputSchema | undefined): string[] {
  const names = header.map((name) => name.trim());
  const bad = names.find((name, index) => name === '' || names.indexOf(name) !== index);
  if (bad !== undefined)
    throw wrongFile(`${file}:1`, bad === '' ? 'a column has no name' : `two columns are named ${bad}`);
  const odd = names.find((name) => !plainName.test(name) && !Object.hasOwn(schema ?? {}, name));
  if (odd === undefined) return names;
  throw wrongFile(
    `${file}:1`,
    `its first line has no names of columns, but ${shorten(odd)}`,
    `add a header line with commas; if ${shorten(odd)} is the name of a column, declare it in inputSchema`,
  );
}

/** Without a header, or with another separator than commas, the first line has other signs. */
const plainName = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;

const declareText = 'declare the column as `string` in inputSchema to keep all its digits as text';

function jsonRows(text: string, file: string): Row[] {
  const value = parsed(text, file, (line) => `${file}:${line}`);
  if (!Array.isArray(value)) throw wrongFile(file, `it is ${describeValue(value)}`);
  return value.map((each, index) => rowOf(each, `${file}, row ${index + 1}`));
}

function lineRows(text: string, file: string): Row[] {
  return text.split('\n').flatMap((line, index) => {
    const place = `${file}:${index + 1}`;
    return line.trim() === '' ? [] : [rowOf(parsed(line, place), place)];
  });
}

function rowOf(value: unknown, place: string): Row {
  if (isMapValue(value)) return { input: value, place };
  throw wrongFile(place, `it is ${describeValue(value)}`);
}

function parsed(text: string, place: string, placeOfLine = (_line: number) => place): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrongFile(place, `it is not JSON (${error instanceof Error ? error.message : 'unreadable'})`);
  }
  const inexact = inexactInJson(text);
  if (inexact !== undefined) throw wrongNumber(placeOfLine(inexact.line), inexact.text);
  const repeated = repeatedKeyIn(text);
  if (repeated !== undefined) throw problemAt(placeOfLine(repeated.line), repeatedKeyProblem(repeated.key));
  return value;
}

function wrongNumber(place: string, number: string, otherFix?: string): ProblemError {
  const problem = inexactNumber(number);
  return problemAt(place, otherFix === undefined ? problem : { ...problem, fix: otherFix });
}

function problemAt(place: string, problem: Problem): ProblemError {
  return new ProblemError([{ ...problem, path: ['inputs', 'file'], found: `${place}: ${problem.found}` }]);
}

function wrongFile(place: string, what: string, fix?: string): ProblemError {
  const problem: Problem = {
    code: 'wrong-inputs',
    path: ['inputs', 'file'],
    found: `${place}: ${what}`,
    allowed: 'a .csv with commas and a header line, a .json list of objects, or an .ndjson with one object per line',
    ...(fix && { fix }),
  };
  return new ProblemError([problem]);
}
