/** The program with all of its commands loaded. */
import type { Command } from 'commander';
import { fill, programFor, run } from '../../src/cli/main.ts';

export interface LoadedProgram {
  program: Command;
  /** Command lines and what they are good for, as `--help` ends with them. */
  examplesOf(command: Command): string[];
}

export async function loadedProgram(): Promise<LoadedProgram> {
  let written = '';
  const stdout = { write: (text: string) => (written += text) };
  const io = { stdout, stderr: stdout, env: {}, cwd: '.', signal: new AbortController().signal };
  const shell = { io, run, end: () => {} };
  const program = programFor(shell);
  for (const command of program.commands) await fill(command, shell);
  return {
    program,
    examplesOf(command) {
      written = '';
      command.outputHelp();
      const [, examples = ''] = written.split('\nExamples:\n');
      return examples.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
    },
  };
}
