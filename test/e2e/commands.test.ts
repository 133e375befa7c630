/**
 * Each command as a process, which loads the code of the command from the bundle, against an emulator: its exit code, what it says, and what
 * it leaves unsaid. Of the ways to fail, each is a process once: refused by the service or the manager, without a terminal, without a file, mistyped.
 */
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { loadedProgram } from '../../scripts/docs/program.ts';
import { type Harness, openHarness } from '../cli/harness.ts';
import { commandCases } from './commandCases.ts';
import { accountOfCases, type CommandCase, declaration, managerToken } from './commandSetup.ts';
import { start } from './process.ts';

/** Commands whose processes another test runs. */
const elsewhere: Readonly<Record<string, string>> = {
  'ci apply': 'test/ci/plan.test.ts',
  'ci drift': 'test/ci/drift.test.ts',
  complete: 'test/e2e/cli/completion.test.ts',
  receive: 'test/e2e/cli/receive.test.ts',
  triggers: 'test/triggers',
};

async function openCase(): Promise<Harness> {
  const harness = await openHarness(await accountOfCases());
  await harness.write('webdata.yaml', declaration);
  return harness;
}

function envOf({ emulator }: Harness, isRefused = false) {
  return {
    WEBDATA_API_URL: emulator.apiUrl,
    WEBDATA_API_KEY: isRefused ? 'no-key-of-this-account' : emulator.keys.ops,
    WEBDATA_MANAGER_URL: emulator.managerUrl,
    WEBDATA_MANAGER_TOKEN: isRefused ? 'no-token' : managerToken,
    WEBDATA_ZONE_PASSWORD: 'zone-password-1',
  };
}

function process(harness: Harness, args: readonly string[]) {
  return start(args, { cwd: harness.folder, env: envOf(harness) });
}

const cases = Object.values(commandCases).flat();

describe.concurrent('as processes', () => {
  it.each(cases)('webdata $line', async (row: CommandCase) => {
    const { line, code = 0, prepare, stdout, stderr = '', refused } = row;
    await using harness = await openCase();
    const args = [...line.split(' '), ...((await prepare?.(harness)) ?? [])];
    const ended = await start(args, { cwd: harness.folder, env: envOf(harness, refused) }).finished;
    expect({ ...ended, stdout: shown(ended.stdout, harness), stderr: shown(ended.stderr, harness) }).toEqual({
      code,
      signal: null,
      stdout: like(stdout),
      stderr: like(stderr),
    });
    const secrets = [...Object.values(harness.emulator.keys), managerToken, 'no-key-of-this-account'];
    for (const secret of secrets) expect(ended.stdout + ended.stderr).not.toContain(secret);
  });
});

/** With names in place of the URLs, which are others each time. */
function shown(text: string, { emulator }: Harness): string {
  return text.replaceAll(emulator.apiUrl, '{api}').replaceAll(emulator.managerUrl, '{manager}');
}

function like(expected: CommandCase['stdout']): unknown {
  return typeof expected === 'string' ? expected : expect.stringMatching(expected);
}

it('there is a case of each command', async () => {
  const { program } = await loadedProgram();
  const names = program.commands.flatMap((command) =>
    command.commands.length === 0
      ? [command.name()]
      : command.commands.map((subcommand) => `${command.name()} ${subcommand.name()}`),
  );
  expect(names.length).toBeGreaterThan(20);
  const isRun = (name: string) => [name, name.split(' ')[0] ?? ''].some((each) => elsewhere[each] !== undefined);
  expect(names.filter((name) => commandCases[name] === undefined && !isRun(name))).toEqual([]);
});

describe.concurrent('interrupted by ctrl-C', () => {
  const input = ['--input', 'url=https://shop.example.com/1'];

  it.each(['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)('snapshot says how to wait again, at %s', async (signal) => {
    await using harness = await openCase();
    const { stdout } = await harness.webdata('collect', '--dataset', 'gd_slow', ...input, '--no-wait');
    const id = stdout.trim();
    const { child, finished } = process(harness, ['snapshot', id, '--wait']);
    await untilAnswered(harness, 'datasets/download');
    child.kill(signal);
    if (signal === 'SIGHUP') child.kill(signal);
    expect(await finished).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: `interrupted; the job continues at the service\n  fix: to wait again, run \`webdata snapshot ${id} --wait\`\n`,
    });
  });

  it('search keeps the lines of the pages that came, and says where to go on', async () => {
    await using harness = await openCase();
    harness.emulator.addFault({ route: 'request', occurrence: 3, fault: { kind: 'delay', ms: 60_000 } });
    const { child, finished } = process(
      harness,
      'search coffee --zone results --pages 9 --start 10 --format ndjson'.split(' '),
    );
    while (harness.emulator.requests().length < 3) await setTimeout(10);
    child.kill('SIGINT');
    const { stdout, ...ended } = await finished;
    expect(ended).toEqual({
      code: 1,
      signal: null,
      stderr: 'interrupted\n  fix: to continue after 2 pages, pass `--start 30`\n',
    });
    expect(stdout.trimEnd().split('\n')).toHaveLength(20);
  });
});

async function untilAnswered({ emulator }: Harness, route: string): Promise<void> {
  while (!emulator.requests().some((request) => request.route === route && request.status !== null)) {
    await setTimeout(10);
  }
}
