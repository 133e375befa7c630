/** Examples in the help, and the values of options. Needs nothing else of the program, so that servers load nothing else with it. */
import { isIPv4 } from 'node:net';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { malformedText } from '../../base/values/address.ts';
import type { Io } from '../output/io.ts';

/** Adds command lines that can be copied, each below its purpose, to the end of the help. */
export function addExamples(command: Command, purposes: Readonly<Record<string, string>>): Command {
  const rows = Object.entries(purposes).flatMap(([line, purpose]) => [
    ...wrapped(purpose, '', '').map((part) => `  # ${part}`),
    ...wrapped(line, ' \\', '    ').map((part) => `  ${part}`),
  ]);
  return command.addHelpText('after', `\nExamples:\n${rows.join('\n')}`);
}

/** A terminal of 80 columns would break longer lines inside a word. */
const widestExample = 76;

/** Breaks a line between words, and not between an option and its value. `end` is added to every line but the last, `start` precedes every line but the first. */
function wrapped(line: string, end: string, start: string): string[] {
  const lines = [''];
  for (const word of line.match(/-\S+ (?!-)\S+|\S+/g) ?? []) {
    const last = lines.at(-1) ?? '';
    const longer = last === '' ? word : `${last} ${word}`;
    if (longer.length <= widestExample || last.trim() === '') lines[lines.length - 1] = longer;
    else lines.push(start + word);
  }
  return lines.map((each, index) => (index < lines.length - 1 ? each + end : each));
}

/** Returns the option for a format; the first one is the default. */
export function formatOption(formats: readonly string[], about = 'output format'): Option {
  return new Option('--format <format>', about).choices(formats).default(formats[0]);
}

export const collect = (value: string, before: string[] = []): string[] => [...before, value];

export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return Number(text);
}

/** Parses the port of a server; 0 stands for any free port. */
export function listenPort(text: string): number {
  const port = wholeNumber(text);
  if (port > 65_535) throw new InvalidArgumentError('It must be a port: 0 to 65535.');
  return port;
}

export function positiveNumber(text: string): number {
  if (!/^0*[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  return Number(text);
}

export function ipAddress(text: string): string {
  if (!isIPv4(text)) throw new InvalidArgumentError('It must be an IPv4 address.');
  return text;
}

export function seconds(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('It must be a number of seconds.');
  return Number(text);
}

/** Returns a header from the variable that --authorization-env names, so that no secret is on a command line. @throws ProblemError */
export function variableFrom(name: string, { env }: Pick<Io, 'env'>, fix: string): string {
  const option = '--authorization-env';
  const value = env[name];
  const allowed = 'the name of a variable that holds the value of the header';
  if (!value)
    throw new ProblemError([{ code: 'missing-variable', found: `${option}: ${name} is not set`, allowed, fix }]);
  // A client trims a header, so that it would never be equal.
  const malformed = malformedText(value);
  if (malformed === undefined) return value;
  const found = `${option}: ${name} ${malformed.why}`;
  throw new ProblemError([{ code: 'malformed-variable', found, allowed, fix: malformed.fix }]);
}
