/** `--help` of every command ends with examples that work, and what is mistyped is answered with what was meant. */
import { Command, CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { loadedProgram } from '../../../scripts/docs/program.ts';
import { openHarness } from '../harness.ts';

const { program } = await loadedProgram();
const visibleIn = (command: Command) =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help');
const paths = visibleIn(program).flatMap((command) => [
  [command.name()],
  ...visibleIn(command).map((each) => [command.name(), each.name()]),
]);

/** The examples that the help of a command ends with, without what they are good for. */
async function examplesOf(path: readonly string[]): Promise<string[]> {
  await using harness = await openHarness('plain');
  const { code, stdout } = await harness.webdata(...path, '--help');
  expect(code).toBe(0);
  const [, examples = ''] = stdout.split('\nExamples:\n');
  return examples.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}

/** Parses a command line as the program would, and does nothing. */
async function parse(words: string[]): Promise<void> {
  const { program } = await loadedProgram();
  for (const command of program.commands) {
    for (const each of [command, ...command.commands]) each.action(() => undefined);
  }
  // What fills a command when it is asked for would give it its action again.
  const parser = new Command('webdata').exitOverride().configureOutput({ writeErr: () => undefined });
  for (const command of program.commands) parser.addCommand(command);
  await parser.parseAsync(words, { from: 'user' });
}

describe.each(paths.map((path) => ({ path, line: path.join(' ') })))('webdata $line --help', ({ path }) => {
  it('ends with examples, each of this command, with a purpose, and every option of it known', async () => {
    const examples = await examplesOf(path);
    expect(examples.length).toBeGreaterThanOrEqual(2);
    for (const example of examples) {
      const [, line = '', purpose] = /^(webdata .*?) +# (.+)$/.exec(example) ?? [];
      expect([example, purpose]).toEqual([example, expect.any(String)]);
      const words = line.split(' ').slice(1);
      expect(words.slice(0, path.length)).toEqual(path);
      await parse(words);
    }
  });
});

it('an option that there is not would be noticed in an example', async () => {
  await expect(parse(['plan', '--outt', 'x'])).rejects.toThrow(CommanderError);
  await expect(parse(['ci', 'plan', '--outt', 'x'])).rejects.toThrow(CommanderError);
});

it('leaves what only scripts call out of the help', async () => {
  await using harness = await openHarness('plain');
  const { stdout } = await harness.webdata('--help');
  expect(stdout).toContain('  completion ');
  expect(stdout).not.toContain('  complete ');
});

describe('what is mistyped', () => {
  it.each([
    ['a command', ['valdate'], "unknown command 'valdate'\n(Did you mean validate?)"],
    ['a command that help is asked of', ['help', 'plna'], "unknown command 'plna'\n(Did you mean plan?)"],
    ['a command with --help', ['pul', '--help'], "unknown command 'pul'\n(Did you mean pull?)"],
    ['a command of a command', ['ci', 'pln'], "unknown command 'pln'\n(Did you mean plan?)"],
    ['an option', ['plan', '--fromat', 'json'], "unknown option '--fromat'\n(Did you mean --format?)"],
    ['an option of one command only', ['init', '--zon', 'x'], "unknown option '--zon'\n(Did you mean --zone?)"],
    [
      'an option of a command of a command',
      ['ci', 'plan', '--fron', 'x'],
      "unknown option '--fron'\n(Did you mean --front?)",
    ],
  ])('%s', async (_, args, says) => {
    await using harness = await openHarness('plain');
    const { code, stdout, stderr } = await harness.webdata(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(says);
  });

  it('a choice: the choices are named', async () => {
    await using harness = await openHarness('plain');
    const { code, stderr } = await harness.webdata('completion', 'tcsh');
    expect(code).toBe(1);
    expect(stderr).toContain('Allowed choices are bash, zsh, fish.');
  });
});
