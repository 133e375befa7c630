/** What is fuzzed: how an input is made from random numbers, and what takes it. */
import { ProblemError } from '../../src/diagnostics/problem.ts';
import { formatProblems } from '../../src/report/text/problems.ts';
import { ServiceError } from '../../src/service/errors.ts';
import type { Random } from './random.ts';

export interface FuzzTarget<Input = unknown> extends AsyncDisposable {
  /** Numbered from 0: `number` decides what is tried seldom. */
  make(random: Random, number: number): Input;
  /** All that a person gets to read. What it throws is judged: only typed errors are words for a person. */
  take(input: Input): Promise<string> | string;
  /** After some inputs: what went wrong beside the answers. */
  inspect?(): Promise<string[]>;
  show(input: Input): string;
}

/** A target, with what it does itself and how often; opened in a thread of its own. */
export interface TargetEntry {
  what: string;
  inputs: number;
  load(): Promise<(ground: FuzzGround) => Promise<FuzzTarget>>;
}

export interface FuzzGround {
  /** Its own; `outside` is the folder around it, where nothing may be read or written. */
  folder: string;
  outside: string;
}

/** Stands in files outside of the folder, and in secrets: no output may hold it. */
export const canary = 'canary-3f9a1c-never-shown';

/** What is wrong with how an input was taken; undefined where nothing is. */
export async function faultIn<Input>(target: FuzzTarget<Input>, input: Input): Promise<string | undefined> {
  try {
    return faultInWords(await target.take(input));
  } catch (error) {
    if (error instanceof ProblemError) return faultInWords(formatProblems(error.problems));
    if (error instanceof ServiceError) return faultInWords(`${error.message} ${error.said ?? ''} ${error.fix}`);
    return `threw ${error instanceof Error ? error.stack : String(error)}`;
  }
}

/** Words of the engine, of a stack trace, or of a secret. */
function faultInWords(text: string): string | undefined {
  const fault = programWords.exec(text) ?? terminalWords.exec(text);
  if (fault) return `said ${JSON.stringify(text.slice(Math.max(0, fault.index - 200), fault.index + 300))}`;
  return text.includes(canary) ? 'said what is secret' : undefined;
}

const programWords =
  /\n\s+at .*:\d+:\d+|internal error|internal-error|Cannot (?:read|set) propert|is not (?:a function|iterable|defined\b(?! before it))|Maximum call stack|Invalid (?:array|string) length|\b(?:Type|Range|Reference|Syntax)Error\b|\[object \w+\]|node:internal/;
/** Escapes that would steer a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const terminalWords = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202e]/;

export function shown(text: string, most = 1500): string {
  return text.length <= most
    ? JSON.stringify(text)
    : `${JSON.stringify(text.slice(0, most))} … (${text.length} characters)`;
}
