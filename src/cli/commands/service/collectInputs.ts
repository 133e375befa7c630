/** The inputs of `webdata collect`, from a file, stdin or the command line, and the file of `--deliver`. */
import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { type Problem, ProblemError } from '../../../base/diagnostics/problem.ts';
import { systemReason } from '../../../base/diagnostics/systemReason.ts';
import { describeValue } from '../../../base/diagnostics/valueWords.ts';
import { readText, shownName } from '../../../base/files/textFile.ts';
import { isMapValue, parsedJson } from '../../../base/values/plain.ts';
import { withoutMark } from '../../../base/values/utf8.ts';
import { inexactInJson, inexactNumber } from '../../../base/yaml/exactNumbers.ts';
import { repeatedKeyIn, repeatedKeyProblem } from '../../../base/yaml/jsonKeys.ts';
import { parseWith } from '../../../base/yaml/parseWith.ts';
import { readYaml } from '../../../base/yaml/source.ts';
import type { Delivery } from '../../../client/areas/jobs/delivery.ts';
import type { Input } from '../../../triggers/declared/inputSchema.ts';
import type { Io } from '../../output/io.ts';

/** Adds a field to the single input of the command line. */
export function inputField(field: string, before: Record<string, string> = {}): Record<string, string> {
  const end = field.indexOf('=');
  if (end < 1) throw new InvalidArgumentError('It must be KEY=VALUE.');
  const name = field.slice(0, end);
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`The field ${name} is given twice.`);
  return { ...before, [name]: field.slice(end + 1) };
}

/** @throws ProblemError unless the file is a list of objects */
export async function readInputs(file: string, io: Io): Promise<Input[]> {
  const source = shownName(file);
  const inputs = parseInputs(withoutMark(await readNamed('--inputs', file, io)), source);
  if (inputs.length === 0) throw wrongInputs(source, 'the list is empty');
  return inputs;
}

/** Parses a JSON list of objects, one object, or one object per line. `source` is named in problems. @throws ProblemError */
export function parseInputs(content: string, source: string): Input[] {
  const whole = parsedJson(content);
  if (whole !== undefined) {
    assertExact(content, source);
    return (Array.isArray(whole) ? whole : [whole]).map(inputAt(source, 'input'));
  }
  return content.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const value = parsedJson(line);
    if (value === undefined) throw wrongInputs(`${source}:${index + 1}`, 'the line is not JSON');
    assertExact(line, source, index);
    return [inputAt(source, 'line')(value, index)];
  });
}

/** @throws ProblemError for a number that JavaScript would round, and for a key of which it would keep the last value only */
function assertExact(json: string, source: string, linesBefore = 0): void {
  const inexact = inexactInJson(json);
  if (inexact !== undefined) throw inputProblem(inexactNumber(inexact.text), source, linesBefore + inexact.line);
  const repeated = repeatedKeyIn(json);
  if (repeated !== undefined) throw inputProblem(repeatedKeyProblem(repeated.key), source, linesBefore + repeated.line);
}

function inputProblem({ found, fix, ...problem }: Problem, source: string, line: number): ProblemError {
  return new ProblemError([{ ...problem, found: `${source}:${line}: ${found}`, fix: `${fix}; nothing was triggered` }]);
}

function inputAt(source: string, unit: string) {
  return (value: unknown, index: number): Input => {
    if (isMapValue(value)) return value;
    throw wrongInputs(source, `${unit} ${index + 1} is ${describeValue(value)}`);
  };
}

function wrongInputs(source: string, fault: string): ProblemError {
  const allowed = 'a JSON list of objects, or one JSON object per line';
  const fix = 'correct it; nothing was triggered';
  return new ProblemError([{ code: 'wrong-inputs', found: `${source}: ${fault}`, allowed, fix }]);
}

/** Reads the destination of a result from JSON or YAML, with variables for `${NAME}`. It holds credentials, so no error shows a value. @throws ProblemError */
export async function readDelivery(file: string, io: Io): Promise<Delivery> {
  const text = await readNamed('--deliver', file, io);
  const parsed = parseWith(delivery, readYaml(text, shownName(file), { env: io.env }));
  if (parsed.ok) return parsed.value;
  throw new ProblemError(parsed.problems);
}

const text = z.string().min(1);
const secret = text.meta({ writeOnly: true });

const s3 = z.strictObject({
  type: z.literal('s3'),
  bucket: text,
  credentials: z.strictObject({ accessKey: secret, secretKey: secret }).meta({ writeOnly: true }),
  region: text.exactOptional(),
  directory: text.exactOptional(),
  filename: z.strictObject({ template: text, extension: text }).exactOptional(),
  deliveryType: text.exactOptional(),
});

/** Destinations whose fields the specification does not show. */
const other = z.looseObject({ type: z.enum(['gcs', 'azure', 'sftp', 'webhook', 'snowflake', 'email']) });

const delivery = z.discriminatedUnion('type', [s3, other]);

/** Returns the text of the file, or of standard input for `-`. `option` is for messages. @throws ProblemError */
async function readNamed(option: string, file: string, io: Io): Promise<string> {
  try {
    return await readText(file, io);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    const found = `${option} ${file} cannot be read: ${systemReason(code)}`;
    throw new ProblemError([{ code: 'unreadable-file', found, fix: 'correct the name' }]);
  }
}
