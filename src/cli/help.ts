/** The text of `--help`: the commands and the options that most people need; `--all` shows the others. */
import { type Command, Help, type Option } from 'commander';
import { counted } from '../base/diagnostics/valueWords.ts';
import { docsAddress } from '../docsAddress.ts';

/** The most options that the help of a command shows without `--all`. */
const mostOptions = 12;

/** Commands that few people need by hand. */
const rareCommands: ReadonlySet<string> = new Set(['fmt', 'schema', 'completion', 'rotate-key']);

/** Makes the help of a program. `isAll` shows every option and every command. */
export function helpConfiguration(isAll: boolean): Partial<Help> {
  const standard = new Help();
  return {
    minWidthToWrap: 20,
    visibleOptions: (command) => {
      const options = standard.visibleOptions(command);
      return isAll ? ordered(options) : usual(options);
    },
    visibleCommands: (command) =>
      standard.visibleCommands(command).filter((each) => isAll || !rareCommands.has(each.name())),
    formatHelp(command, help) {
      const left = standard.visibleOptions(command).length - help.visibleOptions(command).length;
      const hidden = standard.visibleCommands(command).length - help.visibleCommands(command).length;
      const all = `${commandPath(command)} --help --all\n`;
      const more =
        hidden > 0
          ? `${counted(hidden, 'more command')}: ${all}`
          : left > 0
            ? `${counted(left, 'more option')}, such as connections: ${all}`
            : '';
      const docs = command.parent === null ? '' : `Docs: ${docsAddress(pageOf(command))}\n`;
      const end = `${more}${docs}`;
      return `${standard.formatHelp.call(this, command, help).trimEnd()}\n${end === '' ? '' : `\n${end}`}`;
    },
  };
}

/** Returns whether the words ask for the help with every option, and the words without that request. */
export function withoutHelpAll(args: readonly string[]): { words: readonly string[]; isAll: boolean } {
  const end = args.indexOf('--');
  const options = end < 0 ? args : args.slice(0, end);
  const at = options.findIndex((word, index) => word === '--all' && (options[index + 1] ?? '-').startsWith('-'));
  const asksForHelp = options[0] === 'help' || options.some((word) => word === '--help' || word === '-h');
  return asksForHelp && at >= 0 ? { words: args.toSpliced(at, 1), isAll: true } : { words: args, isAll: false };
}

/** The end of `webdata --help`. */
export const startHere = `
Start here:
  webdata init      write a first declaration
  webdata plan      show what would change; sends nothing
  webdata apply     make the changes, after showing them and asking
  webdata doctor    find out why calls fail; \`--log-http\` shows each call

\`webdata COMMAND --help\` shows the options of a command.
Docs: ${docsAddress('getting-started')}
`;

/** Returns the name of a command as it is typed. */
export function commandPath(command: Command): string {
  return command.parent === null ? command.name() : `${commandPath(command.parent)} ${command.name()}`;
}

/** Returns the page of a command, such as `commands/triggers-serve`. */
function pageOf(command: Command): string {
  return `commands/${commandPath(command).split(' ').slice(1).join('-')}`;
}

/** A command's own options come first, then those that many commands share, and the rare ones. */
function ordered(options: readonly Option[]): Option[] {
  return options.toSorted((one, other) => rank(one) - rank(other));
}

function usual(options: readonly Option[]): Option[] {
  const known = ordered(options.filter(({ long = '' }) => !rare.has(long)));
  const own = known.filter((option) => rank(option) === 0);
  const shared = known.slice(own.length);
  return [...own.slice(0, Math.max(0, mostOptions - shared.length)), ...shared];
}

function rank({ long = '' }: Option): number {
  return rare.has(long) ? shared.length + 1 : shared.indexOf(long) + 1;
}

/** In the order of the help. */
const shared = ['--file', '--all', '--select', '--max-moves', '--yes', '--output', '--format', '--report', '--help'];

/** Options of connections, and those that few people need. */
const rare: ReadonlySet<string> = new Set([
  ...['--api-url', '--manager-url', '--timeout', '--retries', '--log-http', '--allow-env'],
  ...['--backend', '--journal', '--lock-timeout', '--parallelism', '--parallel-accounts'],
  ...['--allow-self-lockout', '--allow-unclear-listing', '--force-ports', '--resend', '--full', '--no-color'],
  ...['--allow-removed', '--dns', '--direct', '--zip', '--asn', '--carrier', '--os', '--gip', '--tag'],
  ...['--poll', '--queue-next', '--no-queue-next', '--notify', '--dev', '--ready-file', '--open-metrics'],
]);
