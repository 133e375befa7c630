/** A fuzz target: how an input is made from random numbers, and the code that takes it. */
import { ProblemError } from '../../src/base/diagnostics/problem.ts';
import { ServiceError } from '../../src/client/errors.ts';
import { formatProblems } from '../../src/report/text/problems.ts';
import type { Random } from './random.ts';

export interface FuzzTarget<Input = unknown> extends AsyncDisposable {
  /** Makes the input with this number, from 0; `number` selects rare variants. */
  make(random: Random, number: number): Input;
  /** Returns everything that a user would read. Only typed errors may be thrown. */
  take(input: Input): Promise<string> | string;
  /** Runs after some inputs, and returns violations that answers do not show. */
  inspect?(): Promise<string[]>;
  show(input: Input): string;
}

/** A target and its number of inputs. It is opened in its own thread. */
export interface TargetEntry {
  what: string;
  inputs: number;
  load(): Promise<(ground: FuzzGround) => Promise<FuzzTarget>>;
}

export interface FuzzGround {
  /** The folder of the target; `outside` is the folder around it, in which nothing may be read or written. */
  folder: string;
  outside: string;
}

/** A text in secrets and in files outside the folder. No output may contain it. */
export const canary = 'canary-3f9a1c-never-shown';

/** Returns the violation of an input, if there is one. */
export async function faultIn<Input>(target: FuzzTarget<Input>, input: Input): Promise<string | undefined> {
  try {
    return faultInWords(await target.take(input));
  } catch (error) {
    if (error instanceof ProblemError) return faultInWords(formatProblems(error.problems));
    if (error instanceof ServiceError) return faultInWords(`${error.message} ${error.said ?? ''} ${error.fix}`);
    return `threw ${error instanceof Error ? error.stack : String(error)}`;
  }
}

/** Finds messages of the JavaScript engine, stack traces and secrets in a text. */
function faultInWords(text: string): string | undefined {
  const fault = programWords.exec(text) ?? terminalWords.exec(text);
  if (fault) return `said ${JSON.stringify(text.slice(Math.max(0, fault.index - 200), fault.index + 300))}`;
  return text.includes(canary) ? 'said what is secret' : undefined;
}

const programWords =
  /\n\s+at .*:\d+:\d+|internal error|internal-error|Cannot (?:read|set) propert|is not (?:a function|iterable|defined\b(?! before it))|Maximum call stack|Invalid (?:array|string) length|\b(?:Type|Range|Reference|Syntax)Error\b|\[object \w+\]|node:internal/;
/** Finds escape sequences that would control a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const terminalWords = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202e]/;

export function shown(text: string, most = 1500): string {
  return text.length <= most
    ? JSON.stringify(text)
    : `${JSON.stringify(text.slice(0, most))} … (${text.length} characters)`;
}
