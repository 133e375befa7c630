/** Command lines: existing words in any order and number, with odd values, in a folder with a declaration and an account. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadedProgram } from '../../../scripts/docs/program.ts';
import { type CommandLine, commandLineOf, type OptionLine } from '../../../src/cli/completion/commandLine.ts';
import { readAccount } from '../../../src/emulator/index.ts';
import { command, openWorld } from '../../frame/world.ts';
import { fileText } from '../examples.ts';
import { oddNumbers, oddTexts } from '../mutate.ts';
import type { Random } from '../random.ts';
import { canary, type FuzzGround, type FuzzTarget, shown } from '../target.ts';

type Input = string[];

/** Servers, which the target ends at once. */
const servers: ReadonlySet<string> = new Set(['emulator', 'receive', 'serve']);
const patienceMs = 3000;

export async function openCommandLine(ground: FuzzGround): Promise<FuzzTarget<Input>> {
  const world = await openWorld(ground.folder, await readAccount('examples/accounts/plain.yaml'));
  const { emulator, folder } = world;
  const env = { ...world.env, WEBDATA_ZONE_PASSWORD: canary, HOOK: canary };
  await prepare(folder);
  const commandLine = commandLineOf((await loadedProgram()).program);
  return {
    make: (random) => argumentsFrom(commandLine, random, emulator.apiUrl),
    async take(args) {
      const ended = args.some((word) => servers.has(word));
      const signal = ended ? AbortSignal.abort() : AbortSignal.timeout(patienceMs);
      const { text } = await command(args, { cwd: folder, env, signal });
      // A completion script is a program, and a proxy URL contains its password.
      return args.includes('completion') ? '' : text.replaceAll(/^http:\/\/\S+@.*$/gm, '');
    },
    async inspect() {
      emulator.clearRequests();
      await rm(folder, { recursive: true });
      await prepare(folder);
      return [];
    },
    show: (args) => shown(JSON.stringify(args)),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

async function prepare(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'webdata.yaml'), declaration);
  await writeFile(join(folder, 'account.yaml'), fileText('examples/accounts/plain.yaml'));
  await writeFile(join(folder, 'plan.json'), '{}');
}

const declaration = `name: acme
service: { profile: { settleSeconds: 0 } }
zoneIpAllocations:
  static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing], spare: parked }
managerSettings: { local: { logs: 500 } }
`;

function argumentsFrom(commandLine: CommandLine, random: Random, url: string): Input {
  const words: string[] = [];
  let line: CommandLine = commandLine;
  while (line.commands.length > 0 && !random.oneIn(20)) {
    line = random.pick(line.commands);
    words.push(line.name);
  }
  const options = line.options.filter(({ names }) => names.every((name) => !unsafe.test(name)));
  for (let left = random.below(5); left > 0 && options.length > 0; left -= 1) {
    words.push(...optionFrom(random.pick(options), random, url));
  }
  for (let left = random.below(3); left > 0; left -= 1) words.push(valueFrom(random, url));
  if (random.oneIn(15))
    words.splice(
      random.below(words.length + 1),
      0,
      random.pick(['--', '-', '--no', '-x', '--=', '-fff', safeTexts[0] ?? '']),
    );
  if (random.oneIn(15)) words.splice(random.below(words.length), 1);
  return random.oneIn(4) ? words : [...words, '--retries', '0'];
}

/** Options that would open the machine to others, or start programs. */
const unsafe = /host|pulumi|stack|bucket|store/;

function optionFrom({ names, value }: OptionLine, random: Random, url: string): string[] {
  const name = random.pick(names);
  if (value === undefined && !random.oneIn(15)) return [name];
  const given = value?.choices && !random.oneIn(5) ? random.pick(value.choices) : valueFrom(random, url);
  return random.oneIn(3) ? [`${name}=${given}`] : [name, given];
}

/** Texts that do not lead out of the folder, because a user may name any file. */
const safeTexts = oddTexts.filter((text) => !/[/\\]|\.\./.test(text));
const values = [
  ...[
    'webdata.yaml',
    'plan.json',
    'account.yaml',
    'new.json',
    'json=report.json',
    'ZoneIpAllocation/static',
    'checkout',
    'parked',
  ],
  ...[
    '192.0.2.12',
    'c_prices',
    'gd_companies',
    'j_1',
    's_1',
    'us',
    'HOOK',
    '{"url":"https://shop.example.com/a"}',
    '24000',
    'coffee',
  ],
];

function valueFrom(random: Random, url: string): string {
  if (random.oneIn(12)) return url;
  if (random.oneIn(5)) return random.pick(oddNumbers);
  return random.oneIn(3) ? random.pick(safeTexts) : random.pick(values);
}
