/** The program with all of its commands loaded. */
import type { Command } from 'commander';
import { loadProgram } from '../../src/cli/main.ts';

export interface LoadedProgram {
  program: Command;
  /** Returns the example command lines at the end of `--help`. */
  examplesOf(command: Command): string[];
}

export async function loadedProgram(): Promise<LoadedProgram> {
  let written = '';
  const output = {
    write(text: string) {
      written += text;
    },
  };
  const { signal } = new AbortController();
  const program = await loadProgram({ stdout: output, stderr: output, env: {}, cwd: '.', signal });
  return {
    program,
    examplesOf(command) {
      written = '';
      command.outputHelp();
      const [, examples = ''] = written.split('\nExamples:\n');
      return examples
        .replaceAll(/ \\\n +/g, ' ')
        .split('\n')
        .flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
    },
  };
}
