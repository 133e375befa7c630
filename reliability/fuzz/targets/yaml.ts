/** YAML: declarations, alone and with an overlay, and account files, occasionally read by a whole command. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mergeSources, readYaml } from '../../../src/base/yaml/source.ts';
import { parseAccount } from '../../../src/emulator/index.ts';
import { configOf } from '../../../src/engine/declaration/config.ts';
import { declarationOf } from '../../../src/engine/plan/planFile.ts';
import { command } from '../../frame/world.ts';
import { yamlBomb } from '../bombs.ts';
import { accounts, declarations } from '../examples.ts';
import { mutatedText } from '../mutate.ts';
import type { Random } from '../random.ts';
import { canary, type FuzzGround, type FuzzTarget, shown } from '../target.ts';

interface Input {
  how: 'declaration' | 'overlay' | 'account' | 'command';
  texts: string[];
  args: string[];
}

export async function openYaml({ folder }: FuzzGround): Promise<FuzzTarget<Input>> {
  const examples = { declaration: declarations(), account: accounts() };
  await writeFile(join(folder, 'prices.csv'), 'url\nhttps://shop.example.com/a\n');
  return {
    make: (random, number) => inputOf(random, number, examples),
    take: (input) => (input.how === 'command' ? byCommand(input, folder) : parsed(input)),
    show: ({ how, texts, args }) => [how, ...args, ...texts.map((text) => shown(text))].join(' '),
    async [Symbol.asyncDispose]() {},
  };
}

function inputOf(random: Random, number: number, examples: Record<'declaration' | 'account', string[]>): Input {
  const isBomb = number % 400 === 1;
  const text = (of: readonly string[]) => (isBomb ? yamlBomb(random) : mutatedText(random, of, tokens));
  if (number % 150 === 1) return { how: 'command', texts: [text(examples.declaration)], args: random.pick(offline) };
  if (random.oneIn(6)) return { how: 'account', texts: [text(examples.account)], args: [] };
  if (random.oneIn(8)) {
    return { how: 'overlay', texts: [text(examples.declaration), text(examples.declaration)], args: [] };
  }
  return { how: 'declaration', texts: [text(examples.declaration)], args: [] };
}

/** Commands that call no server. */
const offline = [
  ['validate'],
  ['validate', '--format', 'json'],
  ['plan', '--select', 'ZoneIpAllocation/static', '--format', 'github'],
  ['drift', '--select', 'ZoneIpAllocation/static', '--format', 'junit'],
];

/** Variables with values that could break a line of YAML. */
const env = { A: 'a: [1\n- b', WEBDATA_API_KEY: canary, HOOK: `Bearer ${canary}`, EMPTY: '' };

function parsed({ how, texts }: Input): string {
  if (how === 'account') return JSON.stringify(parseAccount(texts[0] ?? '', 'account.yaml')).slice(0, 0);
  const config = configOf(mergeSources(texts.map((text, index) => readYaml(text, `w${index}.yaml`, { env }))), { env });
  declarationOf(config);
  return config.declared
    .map(({ collection, name }) => config.locate({ code: 'x', found: 'x' }, [collection, name]).found)
    .join('');
}

/** Runs a command against an address without a service: a port on which no one may listen. */
async function byCommand({ texts: [text = ''], args }: Input, folder: string): Promise<string> {
  await writeFile(join(folder, 'webdata.yaml'), text);
  const service =
    args[0] === 'plan' || args[0] === 'drift' ? ['--api-url', 'http://127.0.0.1:1', '--retries', '0'] : [];
  const said = await command([...args, ...service], { cwd: folder, env });
  return said.text;
}

const tokens: readonly string[] = [
  ...[
    '- ',
    ': ',
    '\n  ',
    '<<: ',
    '&a ',
    '*a',
    '---\n',
    '...\n',
    '${',
    '$${A}',
    '${A}',
    '${GONE}',
    '!!int ',
    '!!binary ',
    '!<x> ',
  ],
  ...[
    '? ',
    '| ',
    '>-\n',
    '[',
    ']',
    '{',
    '}',
    ',',
    '#',
    '"',
    "'",
    '%YAML 1.1\n',
    '~',
    '{env: HOOK}',
    '{file: ../outside.csv}',
  ],
  ...[
    'zones:',
    'zoneIpAllocations:\n  static:\n    ',
    'count: {us: 1}',
    'ips: [192.0.2.1]',
    'maxMoves: "20%"',
    'spare: parked\n',
  ],
  ...[
    'collectorSchedules:\n  nightly:\n    ',
    'cron: "* * * * *"',
    'every: 1s',
    'timeZone: Mars/Base',
    'inputs: [{url: x}]',
  ],
  ...[
    'webhookDeliveries:\n  main:\n    ',
    'endpoint: http://169.254.169.254/',
    'managerSettings:\n  local:\n    ',
    'logs: 1e9',
  ],
  ...['protect: [192.0.2.1]', 'unmanaged: release', 'onDelete: release', 'ignoreChanges: [zones.a]', 'sources: [a]'],
];
