/** Completion: what is offered, and that a Tab in real shells puts it in. */
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { binary } from '../e2e/process.ts';
import { type Harness, openDeclared, openHarness } from './harness.ts';
import { openTerminal, type Terminal } from './terminal.ts';

/** The values that are offered for the last of the words. */
async function offered({ webdata }: Pick<Harness, 'webdata'>, ...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await webdata('complete', '--', ...words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [line.replace(/\t.*/, line.startsWith(':') ? '$&' : '')]));
}

const names = `zoneIpAllocations:
  static: { zones: { checkout: { count: 8 } } }
  spare-time: { zones: { archive: { count: 5 } } }
managerSettings:
  local: { logs: 5 }
`;

describe('offers', () => {
  it.each([
    ['commands', ['pl'], ['plan']],
    ['commands to get help of', ['help', 'dr'], ['drift']],
    ['commands of a command', ['ci', ''], ['plan', 'apply', 'drift', 'help']],
    ['options', ['apply', '--lo'], ['--log-http', '--lock-timeout']],
    ['options where nothing else is due', ['completion', 'zsh', ''], ['--help']],
    ['no option that was given', ['plan', '--full', '--fu'], []],
    ['no option that was given by its short name', ['apply', '-y', '--y'], []],
    ['an option again that may be given again', ['plan', '--file', 'a', '-f', 'b', '--fil'], ['--file']],
    ['no options behind --', ['plan', '--', '--fu'], []],
    ['the options of the command that CI runs', ['ci', 'drift', '--', '--stri'], ['--strict']],
    ['choices of an option', ['history', '--format', ''], ['text', 'json']],
    ['choices behind =', ['history', '--format=j'], ['--format=json']],
    ['formats of reports, with what follows', ['plan', '--report', 'ju'], ['junit=']],
    ['files behind the format of a report', ['plan', '--report', 'junit=re'], [':files\t6']],
    ['files behind both', ['plan', '--report=junit=re'], [':files\t15']],
    ['files for the declaration', ['plan', '-f', ''], [':files\t0']],
    ['files behind =', ['plan', '--file=pro'], [':files\t7']],
    ['files for a kept plan', ['apply', ''], [':files\t0']],
    ['shells', ['completion', ''], ['bash', 'zsh', 'fish']],
    ['documents', ['schema', 'd'], ['declaration']],
    ['nothing for a number', ['plan', '--timeout', ''], []],
    ['nothing for an unknown option', ['plan', '--nonsense=x'], []],
    ['nothing of an unknown command', ['nonsense', '--f'], []],
  ])('%s', async (_, words, expected) => {
    await using harness = await openHarness('plain');
    expect(await offered(harness, ...words)).toEqual(expected);
  });

  it('all commands but hidden ones, each with what it does', async () => {
    await using harness = await openHarness('plain');
    const { stdout } = await harness.webdata('complete', '--', '');
    expect(stdout).toContain('plan\tshow what an apply would do; only reads\n');
    expect(stdout).not.toMatch(/^complete\t/m);
  });
});

describe('what is declared, for --select', () => {
  it('is offered as KIND/NAME, but for what is selected already', async () => {
    await using harness = await openDeclared('plain', names);
    const all = ['ZoneIpAllocation/static', 'ZoneIpAllocation/spare-time', 'ManagerSettings/local'];
    expect(await offered(harness, 'plan', '--select', '')).toEqual(all);
    expect(await offered(harness, 'destroy', '--select=Man')).toEqual(['--select=ManagerSettings/local']);
    expect(await offered(harness, 'plan', '--select', all[0] ?? '', '--select', '')).toEqual(all.slice(1));
    expect(harness.emulator.requests()).toEqual([]);
  });

  it('comes from the files that are named', async () => {
    await using harness = await openHarness('plain');
    await harness.write('base.yaml', 'managerSettings: { here: {} }');
    await harness.write('prod.yaml', 'managerSettings: { there: {} }');
    expect(await offered(harness, 'plan', '-f', 'base.yaml', '--file=prod.yaml', '--select', '')).toEqual([
      'ManagerSettings/here',
      'ManagerSettings/there',
    ]);
  });

  it.each([
    ['there is no file', undefined, []],
    ['it is no map', '- a\n- b\n', []],
    ['names are no names', 'managerSettings: { "a\\tb": {}, "\\e[31m": {}, ok: {} }', ['ManagerSettings/ok']],
    ['a bracket is open', 'managerSettings: { local: {}, other: [', ['ManagerSettings/local', 'ManagerSettings/other']],
    ['it is too large to be read while somebody waits', `# ${'x'.repeat(300_000)}\nmanagerSettings: { local: {} }`, []],
    ['it is binary', '\u0000\u0001\u0002', []],
  ])('nothing is said where %s', async (_, text, expected) => {
    await using harness = await openHarness('plain');
    if (text !== undefined) await harness.write('webdata.yaml', text);
    expect(await offered(harness, 'plan', '--select', '')).toEqual(expected);
  });
});

describe('runs, for undo', () => {
  it('are offered, the newest first, by an id that undo takes', async () => {
    await using harness = await openDeclared(
      'plain',
      'zoneIpAllocations:\n  static: { zones: { checkout: { count: 9 } }, spare: parked }\n',
    );
    await harness.webdata('apply', '--yes');
    await harness.webdata('undo', '--yes');
    const { runs } = JSON.parse((await harness.webdata('history', '--format', 'json')).stdout);
    const ids = runs.map(({ id }: { id: string }) => id.slice(0, 8));
    expect(ids).toHaveLength(2);
    expect(await offered(harness, 'undo', '')).toEqual(ids);
    expect(await offered(harness, 'undo', '--journal', '.webdata/journal.jsonl', ids[1])).toEqual([ids[1]]);
    expect((await harness.webdata('undo', '--yes', ids[0])).code).toBe(0);
  });

  it('are none where there is no journal, or something else in its place', async () => {
    await using harness = await openHarness('plain');
    expect(await offered(harness, 'undo', '')).toEqual([]);
    await harness.write('other.txt', 'one\ntwo\n');
    expect(await offered(harness, 'undo', '--journal', 'other.txt', '')).toEqual([]);
  });
});

/** Writes the URL of each loaded module to stderr. */
const spy = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ load: (url, context, next) => (process.stderr.write(url + '\\n'), next(url, context)) });
`)}`;

it.each([
  ['options', ['plan', '--'], '--format', /chunks\/declaration-/],
  [
    'names from the declaration',
    ['plan', '-f', 'examples/quickstart/webdata.yaml', '--select', ''],
    'ManagerSettings/',
    /chunks\/plan-/,
  ],
  ['runs', ['undo', ''], '', /chunks\/undo-/],
])('completes %s without loading the command or an installed package', (_, words, expected, unneeded) => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', spy, binary, 'complete', '--', ...words], {
    encoding: 'utf8',
  });
  expect(stdout).toContain(expected);
  expect(stderr).toMatch(/\/chunks\/complete-/);
  expect(stderr).not.toContain('node_modules');
  expect(stderr).not.toMatch(unneeded);
});

interface ShellCase {
  shell: string;
  command: string;
  setup: string;
}

const shells: ShellCase[] = [
  { shell: 'bash', command: 'bash --norc --noprofile -i', setup: 'eval "$(webdata completion bash)"' },
  {
    shell: 'zsh',
    command: 'zsh -f -i',
    setup: 'autoload -U compinit; compinit -D -u; source <(webdata completion zsh)',
  },
  { shell: 'fish', command: 'fish --no-config -i', setup: 'webdata completion fish | source' },
];

const isThere = (program: string) => spawnSync(program, ['--version']).error === undefined;

/** In CI a shell that is missing is a failure: nobody would read that it was skipped. */
const canRun = (shell: string) => process.env.CI !== undefined || (isThere(shell) && isThere('script'));

describe.each(shells)('a Tab in $shell', ({ shell, command, setup }) => {
  describe.skipIf(!canRun(shell))('in a terminal', () => {
    let folder: string;
    let terminal: Terminal;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'webdata-shell-'));
      await mkdir(join(folder, 'bin'));
      await writeFile(join(folder, 'bin', 'webdata'), program());
      await chmod(join(folder, 'bin', 'webdata'), 0o755);
      await writeFile(join(folder, 'webdata.yaml'), names);
      for (const name of ['prod.yaml', 'my plan.json']) await writeFile(join(folder, name), '');
      const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: folder, TERM: 'xterm', LANG: 'C.UTF-8' };
      terminal = openTerminal(command, folder, env);
      terminal.type(`${setup}\necho set''up\n`);
      await terminal.until(/^setup$/m);
    });

    afterAll(async () => {
      await terminal?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    });

    /** What the program was called with, once the line was completed and sent. */
    async function called(keys: string): Promise<string[]> {
      terminal.type(`${keys}\n`);
      const screen = await terminal.until(/<called>.*<end>/);
      return /<called>(.*)<end>/.exec(screen)?.[1]?.split('|').slice(0, -1) ?? [];
    }

    it.each([
      ['commands', 'webdata valid\t', ['validate']],
      ['commands of commands', 'webdata ci dri\t', ['ci', 'drift']],
      ['options', 'webdata plan --detail\t', ['plan', '--detailed-exitcode']],
      ['choices', 'webdata plan --format js\t', ['plan', '--format', 'json']],
      ['choices behind =', 'webdata plan --format=js\t', ['plan', '--format=json']],
      ['a format, and then a file', 'webdata plan --report markd\tpro\t', ['plan', '--report', 'markdown=prod.yaml']],
      ['both behind =', 'webdata plan --report=markd\tpro\t', ['plan', '--report=markdown=prod.yaml']],
      ['files', 'webdata plan -f pro\t', ['plan', '-f', 'prod.yaml']],
      ['files with a space', 'webdata apply my\t', ['apply', 'my plan.json']],
      ['what is declared', 'webdata plan --select M\t', ['plan', '--select', 'ManagerSettings/local']],
      [
        'what is declared, behind =',
        'webdata plan --select=ZoneIpAllocation/st\t',
        ['plan', '--select=ZoneIpAllocation/static'],
      ],
      ['nothing where there is nothing', 'webdata plan --timeout 1\t', ['plan', '--timeout', '1']],
    ])('completes %s', async (_, keys, expected) => {
      expect(await called(keys)).toEqual(expected);
    });

    it('shows what there is to choose from', async () => {
      terminal.type('webdata history --format \t\t');
      const screen = await terminal.until(/text\s+json/);
      expect(screen).not.toContain('markdown');
      terminal.type('\u0003');
    });
  });
});

/** Completes as the real one does, and of any other call only says how it was called. */
function program(): string {
  return `#!/bin/sh
case $1 in complete|completion) exec '${process.execPath}' '${binary}' "$@" ;; esac
printf '<called>'
printf '%s|' "$@"
echo '<end>'
`;
}

it.skipIf(!isThere('bash'))(
  'the script for bash is read by an old bash: it uses nothing that 3.2 does not have',
  async () => {
    await using harness = await openHarness('plain');
    const { stdout } = await harness.webdata('completion', 'bash');
    expect(stdout).not.toMatch(/mapfile|readarray|declare -A|\$\{[^}]*,,|\[-1\]|local -n/);
    expect(spawnSync('bash', ['-n'], { input: stdout }).status).toBe(0);
  },
);
