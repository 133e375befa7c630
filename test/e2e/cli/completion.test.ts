/** A Tab in real shells puts in what completion offers. */
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHarness } from '../../cli/harness.ts';
import { binary } from '../process.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const names = `zoneIpAllocations:
  static: { zones: { checkout: { count: 8 } } }
  spare-time: { zones: { archive: { count: 5 } } }
managerSettings:
  local: { logs: 5 }
`;

/** Writes the URL or the path of each loaded file to stderr. */
const spy = `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs';
  import { registerHooks, syncBuiltinESMExports } from 'node:module';
  const { readFileSync } = fs;
  fs.readFileSync = (path, ...options) => (process.stderr.write(path + '\\n'), readFileSync(path, ...options));
  syncBuiltinESMExports();
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
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
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

it.skipIf(!isThere('bash') && process.env.CI === undefined)(
  'the script for bash is read by an old bash: it uses nothing that 3.2 does not have',
  async () => {
    await using harness = await openHarness('plain');
    const { stdout } = await harness.webdata('completion', 'bash');
    expect(stdout).not.toMatch(/mapfile|readarray|declare -A|\$\{[^}]*,,|\[-1\]|local -n/);
    expect(spawnSync('bash', ['-n'], { input: stdout }).status).toBe(0);
  },
);
