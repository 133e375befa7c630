/** Completion candidates at the cursor: a pure function of the words up to it and of the command line's grammar. */
import type { CommandLine, OptionLine, ValueLine } from './commandLine.ts';

export interface Candidate {
  value: string;
  summary: string;
}

/** Candidates for the whole word at the cursor, or file names, which begin at an offset in it. */
type Completion = { candidates: readonly Candidate[] } | { filesFrom: number };

/** The words before the cursor that values depend on. */
export interface Given {
  /** Values by the long name of their option. */
  values: ReadonlyMap<string, readonly string[]>;
}

/** Looks up the values of an option or argument in files, by its value name. */
export type CandidateLookup = (value: string, given: Given) => Promise<readonly Candidate[]>;

/** `words` follow the program's name. The last word is at the cursor and may be empty. */
export async function complete(
  words: readonly string[],
  program: CommandLine,
  lookup: CandidateLookup,
): Promise<Completion> {
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
  /** Number of arguments so far. */
  position: number;
  /** The option whose value comes next. */
  pending: OptionLine | undefined;
  /** False after `--`. */
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

/** After `webdata ci plan --` come the options of `webdata plan`. */
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
  return { ...at, pending: option.value && option, values: withValue(at.values, option) };
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

/** Leaves out options that were given, unless they may be repeated. */
function optionsFor({ options }: CommandLine, { values }: Given): Candidate[] {
  const left = options.filter((option) => option.isRepeatable || !values.has(longName(option)));
  return left.map((option) => ({ value: longName(option), summary: option.summary }));
}

async function valuesOf(
  { name, choices }: ValueLine,
  prefix: string,
  current: string,
  given: Given,
  lookup: CandidateLookup,
): Promise<Completion> {
  if (name === 'file' || name === 'plan' || name === 'pattern') return { filesFrom: prefix.length };
  const value = current.slice(prefix.length);
  const isAssignment = name === 'format=file';
  if (isAssignment && value.includes('=')) return { filesFrom: prefix.length + value.indexOf('=') + 1 };
  const known = choices?.map((choice) => ({ value: choice, summary: '' })) ?? (await lookup(name, given));
  const prefixed = known.map((each) => ({ ...each, value: prefix + each.value }));
  return starting(prefixed, current);
}

function starting(candidates: readonly Candidate[], current: string): Completion {
  return { candidates: candidates.filter(({ value }) => value.startsWith(current)) };
}
