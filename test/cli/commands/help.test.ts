/** `--help` of every command ends with examples that work, and what is mistyped is answered with what was meant. */
import { Command } from 'commander';
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

interface Example {
  purpose: string;
  line: string;
}

/** The examples that the help of a command ends with. */
async function examplesOf(path: readonly string[]): Promise<Example[]> {
  await using harness = await openHarness('plain');
  const { code, stdout } = await harness.webdata(...path, '--help');
  expect(code).toBe(0);
  const [, examples = ''] = stdout.split('\nExamples:\n');
  const whole = examples.replaceAll(/ \\\n +/g, ' ').replaceAll(/\n {2}# (.*)\n {2}# /g, '\n  # $1 ');
  return [...whole.matchAll(/^ {2}# (.+)\n {2}(webdata .+)$/gm)].map(([, purpose = '', line = '']) => ({
    purpose,
    line,
  }));
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
    for (const { line } of examples) {
      const words = line.split(' ').slice(1);
      expect(words.slice(0, path.length)).toEqual(path);
      await parse(words);
    }
  });
});

describe('the help', () => {
  it.each(
    paths.map((path) => ({ path, line: path.join(' ') })),
  )('of webdata $line fits in 80 columns, with its own options first and all with --all', async ({ path }) => {
    await using harness = await openHarness('plain');
    const { stdout } = await harness.webdata(...path, '--help');
    const all = await harness.webdata(...path, '--help', '--all');
    const optionsIn = (text: string) => [...text.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, name]) => name);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(optionsIn(stdout).length).toBeLessThanOrEqual(12);
    const command = path.reduce<Command | undefined>(
      (found, name) => found?.commands.find((each) => each.name() === name),
      program,
    );
    const known = (command?.options ?? []).filter(({ hidden }) => !hidden).map(({ long }) => long);
    expect(optionsIn(all.stdout).toSorted()).toEqual([...known, '--help'].toSorted());
    const left = known.length + 1 - optionsIn(stdout).length;
    if (left > 0)
      expect(stdout).toContain(
        `${left} more option${left === 1 ? '' : 's'}, such as connections: webdata ${path.join(' ')} --help --all`,
      );
    else expect(stdout).not.toContain('more option');
  });

  it('of the program shows its groups, where to start, and where the documentation is', async () => {
    await using harness = await openHarness('plain');
    const { stdout } = await harness.webdata('--help');
    const headings = ['Main', 'Look', 'Team and CI', 'Schedules', 'Service', 'Tools', 'Start here'];
    expect([...stdout.matchAll(/^(\w[\w ]+):$/gm)].map(([, name]) => name)).toEqual(['Options', ...headings]);
    expect(stdout).toMatch(/^Docs: \S+\/getting-started\S*$/m);
    expect((await harness.webdata('ci', 'plan', '--help')).stdout).toMatch(/^Docs: \S+\/commands\S*ci-plan$/m);
    expect(stdout).toMatch(/^Main:\n {2}init .*\n {2}validate .*\n {2}plan .*\n {2}apply .*\n {2}drift .*\n {2}undo /m);
    for (const line of stdout.split('\n'))
      expect(line.length).toBeLessThanOrEqual(Math.max(80, process.cwd().length + 12));
    expect((await harness.webdata('help')).stdout).toBe(stdout);
    expect((await harness.webdata('help', 'plan')).stdout).toBe((await harness.webdata('plan', '--help')).stdout);
  });
});

it('leaves out what few people need, but not from --help --all, and always what only scripts call', async () => {
  await using harness = await openHarness('plain');
  const listed = async (...args: string[]) => {
    const { stdout } = await harness.webdata(...args);
    return ['fmt', 'schema', 'completion', 'rotate-key', 'complete'].filter((name) => stdout.includes(`  ${name} `));
  };
  expect(await listed('--help')).toEqual([]);
  expect((await harness.webdata('--help')).stdout).toContain('3 more commands: webdata --help --all\n');
  expect(await listed('--help', '--all')).toEqual(['fmt', 'schema', 'completion']);
  expect(await listed('triggers', '--help')).toEqual([]);
  expect(await listed('triggers', '--help', '--all')).toEqual(['rotate-key']);
});

describe('what is mistyped', () => {
  it.each([
    ['a command', ['valdate'], "unknown command 'valdate'\n(Did you mean validate?)"],
    ['a command that help is asked of', ['help', 'plna'], "unknown command 'plna'\n(Did you mean plan?)"],
    ['a command with --help', ['pul', '--help'], "unknown command 'pul'\n(Did you mean pull?)"],
    ['a command of a command', ['ci', 'pln'], "unknown command 'pln'\n(Did you mean plan?)"],
    ['an option', ['plan', '--fromat', 'json'], "unknown option '--fromat'\n(Did you mean --format?)"],
    ['an option of one command only', ['pull', '--zon', 'x'], "unknown option '--zon'\n(Did you mean --zone?)"],
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
