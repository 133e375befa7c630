/** The program: commands, and the one place where errors are printed. */
import { Command, CommanderError } from 'commander';
import type { Problem } from '../input/problem.ts';
import { ProblemError } from '../input/problem.ts';
import { formatProblems } from '../report/problems.ts';
import { ServiceError } from '../service/errors.ts';
import { version } from '../version.ts';
import { addApply } from './apply.ts';
import { addDestroy } from './destroy.ts';
import { addDrift } from './drift.ts';
import { addEmulator } from './emulator.ts';
import { addHistory } from './history.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from './io.ts';
import { addPlan } from './plan.ts';
import { addPull } from './pull.ts';
import { addUndo } from './undo.ts';
import { addValidate } from './validate.ts';

const commands = [addValidate, addPlan, addApply, addDrift, addPull, addDestroy, addHistory, addUndo, addEmulator];

/** Runs one command; all it says goes to `io`, and nothing is thrown. */
export async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done;
  const shell: Shell = {
    io,
    end(ended) {
      code = ended;
    },
  };
  try {
    await programFor(shell).parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.error;
    io.stderr.write(explain(error, io));
    return exitCodes.error;
  }
}

function programFor(shell: Shell): Command {
  const { stdout, stderr } = shell.io;
  const program = new Command('webdata')
    .description('A web-data and proxy account as code: which IPs each zone holds, how the proxy manager is set.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(webdata COMMAND --help tells more)')
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) });
  for (const add of commands) add(program, shell);
  for (const command of program.commands) command.copyInheritedSettings(program);
  return program;
}

function explain(error: unknown, { stderr, env, signal }: Io): string {
  const color = (stderr.isTTY ?? false) && !env.NO_COLOR;
  return `${formatProblems(problemsOf(error, signal), { color })}\n`;
}

function problemsOf(error: unknown, signal: AbortSignal): Problem[] {
  if (error instanceof ProblemError) return [...error.problems];
  if (signal.aborted) return [{ code: 'interrupted', found: 'interrupted' }];
  if (error instanceof ServiceError) return [{ code: error.code, found: error.message, fix: error.fix }];
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== undefined) return [{ code: 'system-error', found: message ?? code, fix: 'see to it, then run again' }];
  return [
    {
      code: 'internal-error',
      found: `internal error: ${message}`,
      fix: 'please report it, with the command that you ran',
    },
  ];
}
