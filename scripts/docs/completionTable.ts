/** src/cli/completion/table.ts: what completion knows of the commands without loading any of them. */
import { type CommandLine, commandLineOf, type OptionLine } from '../../src/cli/completion/commandLine.ts';
import { kinds } from '../../src/resources/kinds.ts';
import type { LoadedProgram } from './program.ts';

export function completionTable({ program }: LoadedProgram): string {
  const collectionKinds = Object.fromEntries(kinds.map(({ collection, name }) => [collection, name]));
  const names = new OptionNames();
  const table = commandSource(commandLineOf(program), names);
  return `/** Written by \`node scripts/docs.ts\`: all commands with their options, since loading them would take too long for a Tab. */
import type { CommandLine, OptionLine } from './commandLine.ts';

export const collectionKinds: Readonly<Record<string, string>> = ${literal(collectionKinds)};

${names.declarations()}

export const commandLine: CommandLine = ${table};
`;
}

/** Commands share most options: each is written once, and named by its flag. */
class OptionNames {
  readonly #names = new Map<string, string>();

  of(option: OptionLine): string {
    const source = literal(option);
    const name = this.#names.get(source) ?? this.#free(option);
    this.#names.set(source, name);
    return name;
  }

  declarations(): string {
    return [...this.#names].map(([source, name]) => `const ${name}: OptionLine = ${source};`).join('\n');
  }

  /** `$` keeps it apart from words of the language; a number tells options of one flag apart. */
  #free({ names }: OptionLine): string {
    const flag = (names.at(-1) ?? '')
      .replace(/^-+/, '')
      .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const taken = new Set(this.#names.values());
    const candidates = ['', ...Array.from(taken, (_, index) => index + 2)].map((suffix) => `$${flag}${suffix}`);
    return candidates.find((name) => !taken.has(name)) ?? `$${flag}`;
  }
}

function commandSource({ options, commands, ...rest }: CommandLine, names: OptionNames): string {
  const fields = literal(rest).slice(1, -1);
  const optionList = options.map((option) => names.of(option)).join(', ');
  const commandList = commands.map((command) => commandSource(command, names)).join(', ');
  return `{ ${fields}, options: [${optionList}], commands: [${commandList}] }`;
}

function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"([A-Za-z]\w*)":/g, '$1:');
}
