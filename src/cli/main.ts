/** Runs the command that the arguments name. Errors are printed here and nowhere else. */
import { Command, CommanderError } from 'commander';
import { ProblemError } from '../base/diagnostics/problem.ts';
import { printableLines } from '../base/values/printable.ts';
import { version } from '../version.ts';
import { commands } from './commands.ts';
import { commandPath, helpConfiguration, startHere, withoutHelpAll } from './help.ts';
import { assertNoEmptyValues } from './options/emptyValues.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from './output/io.ts';

/** Runs one command, with `io` as its only output. Never throws. */
export async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done;
  const shell: Shell = {
    io,
    loadProgram: () => loadProgram(io),
    end(ended) {
      code = ended;
    },
  };
  try {
    assertUtf8(args);
    const { words, isAll } = withoutHelpAll(args);
    const program = programFor(shell, isAll);
    await program.parseAsync(withHelpFlag(withAllAfterCommand(words)), { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.error;
    const { errorText } = await import('./execution/errorText.ts');
    io.stderr.write(errorText(error, io));
    return exitCodes.error;
  }
}

/** Node replaces the bytes of an argument that are not UTF-8. @throws ProblemError */
function assertUtf8(args: readonly string[]): void {
  const damaged = args.find((arg) => arg.includes('\uFFFD'));
  if (damaged === undefined) return;
  const found = `the argument \`${damaged}\` is not text in UTF-8`;
  const fix = 'type it in a terminal whose locale is UTF-8, such as LC_ALL=C.UTF-8';
  throw new ProblemError([{ code: 'not-utf-8', found, allowed: 'text in UTF-8', fix }]);
}

/** Loads all commands with their options. Their help is written to `io`. */
export async function loadProgram(io: Io): Promise<Command> {
  const shell: Shell = { io, loadProgram: () => loadProgram(io), end: () => {} };
  const program = programFor(shell, true);
  for (const command of program.commands) await fill(command, shell);
  return program;
}

/**
 * Turns `help plan` into `plan --help`, as commander would show the help of a command that is not loaded. Removes the flag after an
 * unknown command, for which commander would show the help of the program instead of the error.
 */
function withHelpFlag(args: readonly string[]): readonly string[] {
  const [first, ...names] = args;
  const asked = first === 'help' && names.length > 0 ? [...names, '--help'] : args;
  const [name = '-'] = asked;
  const isUnknown = !name.startsWith('-') && !Object.hasOwn(commands, name);
  return isUnknown ? asked.filter((word) => word !== '--help' && word !== '-h') : asked;
}

/** `webdata --all PATTERN plan` is `webdata plan --all PATTERN`. */
function withAllAfterCommand(args: readonly string[]): readonly string[] {
  const [all = '', pattern = '', command, ...rest] = args;
  return all === '--all' && command !== undefined ? [command, all, pattern, ...rest] : args;
}

/** Declares all commands by name. The command that runs is loaded before it parses its arguments. */
function programFor(shell: Shell, isAll: boolean): Command {
  const { stdout, stderr } = shell.io;
  const program = new Command('webdata')
    .description('Web-data and proxy accounts as code: the IPs of zones, the settings of the proxy manager, schedules.')
    .version(version)
    .exitOverride()
    .configureHelp(helpConfiguration(isAll))
    .helpOption('-h, --help', 'show this help')
    .commandsGroup('Tools:')
    .helpCommand('help [command]', 'Show the help of a command')
    .addHelpText('after', startHere)
    .showHelpAfterError(helpHint('webdata'))
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(printableLines(text)),
    })
    .hook('preSubcommand', (_program, command) => fill(command, shell))
    .hook('preAction', (_program, command) => {
      // The words that a shell completes may be empty.
      if (!commands[command.name()]?.isHidden) assertNoEmptyValues(command);
    });
  for (const [name, { summary, group, isHidden = false }] of Object.entries(commands)) {
    const command = program.command(name, { hidden: isHidden }).description(summary);
    command.showHelpAfterError(helpHint(`webdata ${name}`));
    if (group !== undefined) command.helpGroup(`${group}:`);
  }
  return program;
}

/** Adds the options and the action of a command. */
async function fill(command: Command, shell: Shell): Promise<void> {
  const add = await commands[command.name()]?.load();
  add?.(command, shell);
  for (const subcommand of command.commands) {
    subcommand.copyInheritedSettings(command).showHelpAfterError(helpHint(commandPath(subcommand)));
  }
}

function helpHint(path: string): string {
  return `(see ${path} --help)`;
}
