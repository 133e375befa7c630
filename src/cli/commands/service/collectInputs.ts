/** The inputs of `webdata collect`: from a file, from stdin, or from the command line. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { InvalidArgumentError } from 'commander';
import { ProblemError } from '../../../diagnostics/problem.ts';
import { describeValue } from '../../../diagnostics/valueWords.ts';
import type { Input } from '../../../triggers/spec/inputSchema.ts';
import { isMapValue, parsedJson } from '../../../values/plain.ts';
import { inexactInJson, inexactNumber } from '../../../yaml/exactNumbers.ts';
import type { Io } from '../../output/io.ts';

/** One more field of the one input that the command line makes. */
export function inputField(field: string, before: Record<string, string> = {}): Record<string, string> {
  const end = field.indexOf('=');
  if (end < 1) throw new InvalidArgumentError('It must be KEY=VALUE.');
  const name = field.slice(0, end);
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`The field ${name} is given twice.`);
  return { ...before, [name]: field.slice(end + 1) };
}

/** @throws ProblemError for what is no list of objects */
export async function readInputs(file: string, { cwd, signal }: Io): Promise<Input[]> {
  const isStdin = file === '-';
  const content = isStdin
    ? await text(addAbortSignal(signal, process.stdin))
    : await readFile(resolve(cwd, file), 'utf8');
  const inputs = parseInputs(content, isStdin ? 'stdin' : file);
  if (inputs.length === 0) throw wrongInputs(isStdin ? 'stdin' : file, 'there is no input');
  return inputs;
}

/** A JSON list of objects, one object, or one object a line. @throws ProblemError */
export function parseInputs(content: string, place: string): Input[] {
  const whole = parsedJson(content);
  if (whole !== undefined) {
    assertExact(content, place);
    return (Array.isArray(whole) ? whole : [whole]).map(inputAt(place, 'input'));
  }
  return content.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const value = parsedJson(line);
    if (value === undefined) throw wrongInputs(`${place}:${index + 1}`, 'the line is not JSON');
    assertExact(line, place, index);
    return [inputAt(place, 'line')(value, index)];
  });
}

/** @throws ProblemError for a number that would be sent rounded */
function assertExact(json: string, place: string, linesBefore = 0): void {
  const inexact = inexactInJson(json);
  if (inexact === undefined) return;
  const { found, fix, ...problem } = inexactNumber(inexact.text);
  const at = `${place}:${linesBefore + inexact.line}`;
  throw new ProblemError([{ ...problem, found: `${at}: ${found}`, fix: `${fix}; nothing was triggered` }]);
}

function inputAt(place: string, unit: string) {
  return (value: unknown, index: number): Input => {
    if (isMapValue(value)) return value;
    throw wrongInputs(place, `${unit} ${index + 1} is ${describeValue(value)}`);
  };
}

function wrongInputs(place: string, what: string): ProblemError {
  return new ProblemError([
    {
      code: 'wrong-inputs',
      found: `${place}: ${what}`,
      allowed: 'a JSON list of objects, or one JSON object a line',
      fix: 'correct it; nothing was triggered',
    },
  ]);
}
