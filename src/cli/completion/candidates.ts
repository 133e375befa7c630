/** What may stand at the cursor: pure, given the words up to it and what the commands take. */
import type { CommandLine, OptionLine, ValueLine } from './commandLine.ts';

export interface Candidate {
  value: string;
  summary: string;
}

/** Candidates for the whole word at the cursor, or files: the name of one begins so many characters into it. */
export type Completion = { candidates: readonly Candidate[] } | { filesFrom: number };

/** What stands before the cursor, as far as values depend on it. */
export interface Given {
  /** Of each option, by its long name. */
  values: ReadonlyMap<string, readonly string[]>;
}

/** The values that only files can tell, by the name of the value. */
export type Lookup = (value: string, given: Given) => Promise<readonly Candidate[]>;

/** `words` are those behind the program's name; the last is the one at the cursor, which may be empty. */
export async function complete(words: readonly string[], program: CommandLine, lookup: Lookup): Promise<Completion> {
  const current = words.at(-1) ?? '';
  const at = walk(words.slice(0, -1), program);
  const given = { values: at.values };
  if (at.pending?.value) return valuesOf(at.pending.value, '', current, given, lookup);
  const [name = '', ...rest] = current.split('=');
  const assigned = rest.length > 0 ? optionOf(at.command, name)?.value : undefined;
  if (assigned && at.options) return valuesOf(assigned, `${name}=`, current, given, lookup);
  const options = at.options ? optionsFor(at.command, given) : [];
  if (current.startsWith('-')) return starting(options, current);
  const commands = at.position === 0 ? at.command.commands.map(({ name: value, summary }) => ({ value, summary })) : [];
  if (commands.length > 0) return starting(commands, current);
  const argument = at.command.arguments[at.position];
  return argument ? valuesOf(argument, '', current, given, lookup) : starting(options, current);
}

interface Walk {
  command: CommandLine;
  /** Arguments so far. */
  position: number;
  /** The option whose value is due. */
  pending: OptionLine | undefined;
  /** No `--` stood before. */
  options: boolean;
  values: Map<string, string[]>;
}

function walk(words: readonly string[], program: CommandLine): Walk {
  const start: Walk = { command: program, position: 0, pending: undefined, options: true, values: new Map() };
  return words.reduce((at, word) => step(at, word, program), start);
}

function step(at: Walk, word: string, program: CommandLine): Walk {
  const { command, pending, options, values } = at;
  if (pending) return { ...at, pending: undefined, values: withValue(values, pending, word) };
  if (options && word === '--') return afterDashes(at, program);
  if (options && word.startsWith('-')) return afterOption(at, word);
  const subcommand = at.position === 0 ? command.commands.find(({ name }) => name === word) : undefined;
  return subcommand ? { ...at, command: subcommand } : { ...at, position: at.position + 1 };
}

/** `webdata ci plan --` is followed by the options of `webdata plan`. */
function afterDashes(at: Walk, program: CommandLine): Walk {
  const isRunner = at.command.arguments.some(({ name }) => name === 'args');
  const command = isRunner ? program.commands.find(({ name }) => name === at.command.name) : undefined;
  return command ? { ...at, command } : { ...at, options: false };
}

function afterOption(at: Walk, word: string): Walk {
  const [name = '', ...rest] = word.split('=');
  const option = optionOf(at.command, name);
  if (!option) return at;
  if (rest.length > 0) return { ...at, values: withValue(at.values, option, rest.join('=')) };
  return option.value
    ? { ...at, pending: option, values: withValue(at.values, option) }
    : { ...at, values: withValue(at.values, option) };
}

function withValue(values: Walk['values'], option: OptionLine, ...more: string[]): Walk['values'] {
  const name = longName(option);
  return new Map([...values, [name, [...(values.get(name) ?? []), ...more]]]);
}

function optionOf({ options }: CommandLine, name: string): OptionLine | undefined {
  return options.find(({ names }) => names.includes(name));
}

function longName({ names }: OptionLine): string {
  return names.at(-1) ?? '';
}

/** Not those that were given, unless they may be given again. */
function optionsFor({ options }: CommandLine, { values }: Given): Candidate[] {
  const left = options.filter((option) => option.again || !values.has(longName(option)));
  return left.flatMap((option) => ({ value: longName(option), summary: option.summary }));
}

async function valuesOf(
  { name, choices }: ValueLine,
  prefix: string,
  current: string,
  given: Given,
  lookup: Lookup,
): Promise<Completion> {
  if (name === 'file' || name === 'plan') return { filesFrom: prefix.length };
  const value = current.slice(prefix.length);
  const isAssignment = name === 'format=file';
  if (isAssignment && value.includes('=')) return { filesFrom: prefix.length + value.indexOf('=') + 1 };
  const known = choices?.map((choice) => ({ value: choice, summary: '' })) ?? (await lookup(name, given));
  return starting(
    known.map((each) => ({ ...each, value: prefix + each.value })),
    current,
  );
}

function starting(candidates: readonly Candidate[], current: string): Completion {
  return { candidates: candidates.filter(({ value }) => value.startsWith(current)) };
}
