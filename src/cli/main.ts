/** The program: finds the command, runs it, and is the one place where errors are printed. */
import { Command, CommanderError } from 'commander';
import { printableLines } from '../report/model/printable.ts';
import { version } from '../version.ts';
import { commands } from './commands.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from './output/io.ts';

/** Runs one command; all it says goes to `io`, and nothing is thrown. */
export async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done;
  const shell: Shell = {
    io,
    run,
    loadProgram: () => loadProgram(io),
    end(ended) {
      code = ended;
    },
  };
  try {
    await programFor(shell).parseAsync(withHelpFlag(args), { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.error;
    const { explain } = await import('./execution/explain.ts');
    io.stderr.write(explain(error, io));
    return exitCodes.error;
  }
}

/**
 * `help plan` as `plan --help`: commander would show the help of a command that is not loaded yet. A command that there is not
 * loses the flag: commander would show the program's help, and not that the name is mistyped.
 */
function withHelpFlag(args: readonly string[]): readonly string[] {
  const [first, ...names] = args;
  const asked = first === 'help' && names.length > 0 ? [...names, '--help'] : args;
  const [name = '-'] = asked;
  const isName = !name.startsWith('-') && commands.every((command) => command.name !== name);
  return isName ? asked.filter((word) => word !== '--help' && word !== '-h') : asked;
}

/** All commands by name; only the one that is asked for is loaded, before it reads its arguments. */
function programFor(shell: Shell): Command {
  const { stdout, stderr } = shell.io;
  const program = new Command('webdata')
    .description('A web-data and proxy account as code: which IPs each zone holds, how the proxy manager is set.')
    .version(version)
    .exitOverride()
    .configureHelp({ minWidthToWrap: 20 })
    .showHelpAfterError('(webdata COMMAND --help tells more)')
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(printableLines(text)),
    })
    .hook('preSubcommand', (_program, command) => prepare(command, shell));
  for (const { name, summary, hidden = false } of commands) program.command(name, { hidden }).description(summary);
  return program;
}

async function prepare(command: Command, shell: Shell): Promise<void> {
  const holdsAccount = commands.some((each) => each.name === command.name() && each.holdsAccount);
  // Takes effect only before the declaration is read.
  if (holdsAccount) (await import('./execution/heapLimits.ts')).keepHeapSmall();
  await fill(command, shell);
}

/** Gives a command its options and its action. */
async function fill(command: Command, shell: Shell): Promise<void> {
  const add = await commands.find(({ name }) => name === command.name())?.load();
  add?.(command, shell);
  for (const subcommand of command.commands) subcommand.copyInheritedSettings(command);
}

/** Returns the program with the options of every command; its help goes to `io`. */
export async function loadProgram(io: Io): Promise<Command> {
  const shell: Shell = { io, run, loadProgram: () => loadProgram(io), end: () => {} };
  const program = programFor(shell);
  for (const command of program.commands) await fill(command, shell);
  return program;
}
