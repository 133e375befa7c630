/** Every command that README and docs show is run as it stands, block by block, on the account that the demo has. */
import { globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadedProgram } from '../../scripts/docs/program.ts';
import { readAccount } from '../../src/emulator/index.ts';
import { type Harness, openHarness } from '../cli/harness.ts';
import { type Block, blocksOf, documents, inlineCodeOf } from './markdown.ts';

const isOurs = /^(?:\$ )?(?:npx )?webdata\b(.*)/;

/** Lines of other programs, and the test that runs them, or why none can. */
const elsewhere: [RegExp, string][] = [
  [/^npm ci && npm (run demo|test)$/, '.ci/run'],
  [/^npm init --yes$|^npm install --save-dev (pulumi-webdata|\.\/\S+\.tgz)$/, 'test/e2e/package.test.ts'],
  [/^npm run demo:team$/, 'test/e2e/teamDemo.test.ts'],
  [/^npm ci$|^npm run (emulator|demo|pulumi:install)$/, '.ci/run'],
  [/^npm run pulumi:plugin\b/, 'test/globalSetup.ts'],
  [/^npm run (reliability|fuzz)\b/, 'test/reliability'],
  [/^npm run bench\b/, 'test/bench'],
  [/^export (WEBDATA|HOOK|PULUMI)_/, 'the harness sets them'],
  [/^WEBDATA_ZONE_PASSWORD=|^curl --proxy /, 'test/cli/commands/proxyUrl.test.ts'],
  [/^pulumi |^npm install (pulumi-webdata|\.\/\S+\.tgz) @pulumi\/pulumi\b/, 'test/e2e/pulumi'],
  [/^npm install @aws-sdk\/client-s3$/, 'test/e2e/receiver/bucket.test.ts'],
  [/^npm ci && npm run terraform:provider\b|^npm run emulator &/, 'test/e2e/terraform'],
  [/^cp (examples\/terraform\/main\.tf|terraform-provider-webdata\S+) |^(tofu|mkdir) |^mirror=/, 'test/e2e/terraform'],
  [/^(kubectl|docker|curl --request PUT) /, 'needs a cluster, an engine or GitLab'],
  [/^cd pulumi-webdata$|^git (clone|init|apply) |^curl --json .*\/_emulator\//, 'test/cli/accept/accept.test.ts'],
];

/** Commands that do not end by themselves, or need another account, have a test of their own. */
const elsewhereRun = [
  { command: /^emulator /, test: 'test/e2e' },
  { command: /^backend push /, test: 'test/engine/backend/stores/conformance.test.ts' },
  { command: /^backend adopt /, test: 'test/engine/backend/stores/namedAccount.test.ts' },
  { command: /^ci plan --require-comment/, test: 'test/ci/plan.test.ts' },
  { command: /^ci plan --policy/, test: 'test/e2e/policy/conftest.test.ts' },
  { command: /^(collect|snapshot) /, test: 'test/cli/commands/collect.test.ts' },
  { command: /^receive /, test: 'test/e2e/cli/receive.test.ts' },
  { command: /^triggers /, test: 'test/cli/commands/triggers.test.ts' },
  { command: /^show --cost/, test: 'test/cli/planAndApply/openAccount.test.ts' },
  { command: /^zones migrate /, test: 'test/cli/commands/zones.test.ts' },
  { command: /^manager /, test: 'test/cli/commands/manager.test.ts' },
  { command: /^proxy-url /, test: 'test/cli/commands/proxyUrl.test.ts' },
  { command: /^(search|reviews) /, test: 'test/cli/commands/search.test.ts' },
];

const shells = await Promise.all(
  (await documents()).map(async (document) => (await blocksOf(document)).filter(isShell)),
);

describe.each(shells.flat())('$document:$line', (block) => {
  it('runs', async () => {
    await using harness = await openHarness(await readAccount('examples/quickstart/account.yaml'));
    await prepare(harness);
    for (const line of linesOf(block)) {
      const command = isOurs.exec(line)?.[1]?.trim();
      if (command === undefined)
        expect(
          elsewhere.some(([pattern]) => pattern.test(line)),
          line,
        ).toBe(true);
      else if (!elsewhereRun.some((other) => other.command.test(command))) await runAsShown(command, harness);
    }
  });
});

describe('code within sentences', () => {
  let options: Map<string, Set<string>>;

  beforeAll(async () => {
    options = await optionsByCommand();
  });

  it('names commands and options that there are', async () => {
    const shown = (await Promise.all((await documents()).map(inlineCodeOf))).flat();
    const commands = shown
      .flatMap((code) => isOurs.exec(code)?.[1]?.trim() ?? [])
      .filter((rest) => /^[a-z]/.test(rest));
    expect(commands.length).toBeGreaterThan(20);
    for (const command of commands) {
      const [name = '', ...rest] = command.split(' -- ')[0]?.split(/\s+/) ?? [];
      expect([...options.keys()], command).toContain(name);
      for (const option of rest.filter((word) => word.startsWith('-'))) {
        expect([...(options.get(name) ?? [])], command).toContain(option.split('=')[0]);
      }
    }
  });
});

it('documents and errors name subcommands that there are', async () => {
  const { program } = await loadedProgram();
  const groups = new Map(
    program.commands.map((command) => [command.name(), command.commands.map((each) => each.name())]),
  );
  const texts = [...(await documents()), ...globSync('{docs,src,providers}/**/*.{md,ts}')].map((file) => {
    return readFileSync(file, 'utf8');
  });
  const named = texts.flatMap((text) => [...text.matchAll(/\bwebdata (\w+) ([a-z][\w-]*)(?=[ `\\'])/g)]);
  const wrong = named.filter(([, group = '', name = '']) => {
    const known = groups.get(group) ?? [];
    return known.length > 0 && !known.includes(name);
  });
  expect(wrong.map(([words]) => words)).toEqual([]);
});

function isShell({ language, text }: Block): boolean {
  return language === 'sh' || (language === '' && /^\$ /m.test(text));
}

/** Without comments; of a session, only what was typed. */
function linesOf({ language, text }: Block): string[] {
  const whole = text.replaceAll(/ \\\n\s*/g, ' ');
  const lines = whole.split('\n').filter((line) => language === 'sh' || line.startsWith('$ '));
  return lines.map((line) => line.replace(/(^|\s)#.*$/, '').trim()).filter((line) => line !== '');
}

/** What the commands of the documents find: the demo's declaration, also as base and overlay, and as one of several accounts; a list of zones. */
async function prepare({ write, folder }: Harness): Promise<void> {
  const declaration = await readFile('examples/quickstart/webdata.yaml', 'utf8');
  await write('webdata.yaml', declaration);
  await write('base.yaml', declaration);
  await write('prod.yaml', 'managerSettings: { local: { logs: 2000 } }\n');
  await write('zones.txt', 'checkout\npricing\n');
  await mkdir(join(folder, 'accounts'));
  await write('accounts/acme-eu.yaml', `account: acme-eu\n${declaration}`);
}

/** Where a block begins in the middle of a story, what comes before it is done first. */
async function runAsShown(command: string, harness: Harness): Promise<void> {
  const args = [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, ...parts]) => parts.find((part) => part) ?? '',
  );
  const [name] = args;
  if (name === 'init' || name === 'pull')
    await rm(join(harness.folder, args.find((arg) => /ya?ml$/.test(arg)) ?? 'webdata.yaml'), { force: true });
  if (name === 'undo') await harness.webdata('apply', '--yes');
  if (name === 'apply' && args[1]?.endsWith('.json') && !(await exists(harness, args[1]))) {
    await harness.webdata('plan', '--output', args[1]);
  }
  const isQuiet = args.includes('--output');
  const { code, stdout, stderr } = await harness.webdataWith({ confirm: async () => true }, ...args);
  const isDrift = ['drift', 'audit', '--detailed-exitcode', '--check'].some((word) => args.includes(word));
  expect({ command, code, stderr }).toMatchObject({
    code: expect.toSatisfy((it) => it === 0 || (isDrift && it === 2)),
  });
  expect(isQuiet || stdout.length > 0, command).toBe(true);
}

async function exists({ read }: Harness, file: string): Promise<boolean> {
  return read(file).then(
    () => true,
    () => false,
  );
}

async function optionsByCommand(): Promise<Map<string, Set<string>>> {
  const { commands } = (await loadedProgram()).program;
  return new Map(
    commands.map((command) => {
      const all = [command, ...command.commands].flatMap(({ options }) => options);
      return [command.name(), new Set(all.flatMap(({ short, long }) => [short ?? '', long ?? '', '--help']))];
    }),
  );
}
