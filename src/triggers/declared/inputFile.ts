/** Reads inputs from a file: a CSV with a column for each field, a JSON list of objects, or NDJSON. */
import { CsvError, type Info, parse } from 'csv-parse/sync';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { describeValue } from '../../base/diagnostics/valueWords.ts';
import { isMapValue } from '../../base/values/plain.ts';
import { inexactInJson, inexactNumber } from '../../base/yaml/exactNumbers.ts';
import { repeatedKeyIn, repeatedKeyProblem } from '../../base/yaml/jsonKeys.ts';
import { cellValue, type Input, type InputSchema, type Rows } from './inputSchema.ts';

/** `file` is the name in the declaration. @throws ProblemError for anything but a list of inputs */
export function parseInputFile(text: string, file: string, schema: InputSchema | undefined): Rows {
  const rows = parsers[formatOf(file)](text.replace(/^\uFEFF/, ''), file, schema);
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

type Parser = (text: string, file: string, schema: InputSchema | undefined) => Row[];

const parsers: Record<'csv' | 'json' | 'ndjson', Parser> = { csv: csvRows, json: jsonRows, ndjson: lineRows };

function formatOf(file: string): keyof typeof parsers {
  const [, ending = ''] = /\.(csv|json|ndjson|jsonl)$/.exec(file) ?? [];
  if (ending === '') throw wrongFile(file, 'its file name extension is not supported');
  return ending === 'jsonl' ? 'ndjson' : (ending as keyof typeof parsers);
}

/** Leaves out empty cells, which the collector reads as null. */
function csvRows(text: string, file: string, schema: InputSchema | undefined): Row[] {
  const records = recordsIn(text, file, schema);
  const header = Object.keys(records[0]?.record ?? {});
  const repeated = isDeclared(header, schema)
    ? undefined
    : header.find((name) => records.some(({ record }) => record[name] === name));
  if (repeated !== undefined) throw noHeader(file, `${repeated}, which is a value below too`);
  return records.map(({ record, info }) => {
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
    const { delimiter, from_line } = formOf(text);
    return parse(text, {
      columns,
      delimiter,
      from_line,
      info: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as {
      record: Record<string, string>;
      info: Info;
    }[];
  } catch (error) {
    if (error instanceof CsvError) throw wrongFile(`${file}:${error.lines ?? 1}`, error.message);
    throw error;
  }
}

/** Spreadsheets of some countries separate columns by semicolons, and name the separator in a first line such as `sep=;`. */
function formOf(text: string): { delimiter: string; from_line: number } {
  const [first = '', second = ''] = text.split('\n', 2);
  const [, named] = /^"?sep=(.)"?\s*$/.exec(first) ?? [];
  const header = (named === undefined ? first : second).replaceAll(/"[^"]*"/g, '');
  const [delimiter = ','] = [',', ';', '\t'].filter((each) => header.includes(each));
  return { delimiter: named ?? delimiter, from_line: named === undefined ? 1 : 2 };
}

function distinctColumns(header: string[], file: string, schema: InputSchema | undefined): string[] {
  const names = header.map((name) => name.trim());
  const data = isDeclared(names, schema) ? undefined : names.find((name) => looksLikeData.test(name));
  if (data !== undefined) throw noHeader(file, data);
  const bad = names.find((name, index) => name === '' || names.indexOf(name) !== index);
  if (bad === undefined) return names;
  throw wrongFile(`${file}:1`, bad === '' ? 'a column has no name' : `two columns are named ${bad}`);
}

function isDeclared(names: readonly string[], schema: InputSchema | undefined): boolean {
  return schema !== undefined && names.every((name) => Object.hasOwn(schema, name));
}

function noHeader(file: string, found: string): ProblemError {
  return wrongFile(`${file}:1`, `its first line has no names of columns, but ${found}`);
}

/** A URL, a number, a date, an IP address, an email address, or a sentence: no collector names an input like that. */
const looksLikeData = /^(https?:\/\/|www\.|[-+]?\d[\d.,:/-]*$|\S+@\S+\.\S+$|\S+(\s+\S+){3})/i;

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

function wrongFile(place: string, what: string): ProblemError {
  const problem: Problem = {
    code: 'wrong-inputs',
    path: ['inputs', 'file'],
    found: `${place}: ${what}`,
    allowed: 'a .csv with a header line, a .json list of objects, or an .ndjson with one object per line',
  };
  return new ProblemError([problem]);
}
