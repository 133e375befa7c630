/** `webdata plan` of 10,000 addresses with 100 changes, against octoDNS and Terraform with as many. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { accountFor, address, declarationFor } from './frame/accounts.ts';
import { absent, type Benchmark, type Row, type Stage, unlessReached } from './frame/benchmark.ts';
import { startEmulator } from './frame/emulator.ts';
import { compared, type Measurement, pairs, timesFaster } from './frame/pairs.ts';
import { runProcess, webdata } from './frame/process.ts';
import { inTime } from './frame/units.ts';
import { octodnsCommand, terraformCommand } from './peers/peers.ts';

interface Size {
  ips: number;
  zones: number;
  moves: number;
}

const size: Size = { ips: 10_000, zones: 100, moves: 100 };
/** octoDNS takes about a minute, so this is one pair. */
const largeSize: Size = { ips: 100_000, zones: 1000, moves: 1000 };
const goal = timesFaster(20);
const howToHaveIt = '`npm run bench:peers` installs it';

export const benchmark: Benchmark = {
  name: 'peers',
  about:
    '**peers**: `webdata plan` of 10,000 addresses of which 100 move, against octoDNS planning 10,000 A records of which 100 change (YAML to YAML), also with ten times as many of each, and Terraform planning 10,000 `terraform_data` resources, one block each, of which 100 change. Each reads the current state in its own way: ours over HTTP from the service, the peers from files.',
  async run(stage) {
    const ours = await ourPlan(stage, size);
    return [
      await againstOctodns(stage, ours, size, 2),
      await againstOctodns(stage, await ourPlan(stage, largeSize), largeSize, 1),
      await againstTerraform(stage, ours),
    ];
  },
};

async function ourPlan(stage: Stage, size: Size): Promise<Measurement> {
  const { env } = await startEmulator(stage, accountFor(size));
  const cwd = join(stage.folder, `ours-${size.ips}`);
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'webdata.yaml'), declarationFor(size));
  return async () => (await runProcess(stage, [...webdata, 'plan'], { cwd, env })).ms;
}

async function againstOctodns(stage: Stage, ours: Measurement, size: Size, count: number): Promise<Row> {
  const [ips, moves] = [size.ips, size.moves].map((each) => each.toLocaleString('en'));
  const [what, command] = [`plan, ${ips} addresses, ${moves} changes: octoDNS`, octodnsCommand()];
  if (command === undefined) return absent(what, 'octoDNS', goal.text, howToHaveIt);
  const cwd = octodnsFolder(stage, size);
  const peer = async () => (await runProcess(stage, [command, '--quiet', '--config-file', 'config.yaml'], { cwd })).ms;
  return unlessReached(
    compared(what, await pairs(ours, peer, { count, warmUps: 0 }), goal, inTime),
    'at 10,000, a third of our time is the start, and nearly a third the listings of 100 zones, in one request each; octoDNS reads files',
  );
}

async function againstTerraform(stage: Stage, ours: Measurement): Promise<Row> {
  const [what, command] = ['plan, 10,000 addresses, 100 changes: Terraform', terraformCommand()];
  if (command === undefined) return absent(what, 'Terraform', goal.text, howToHaveIt);
  const cwd = terraformFolder(stage);
  const env = { TF_CLI_CONFIG_FILE: join(cwd, 'cli.tfrc'), CHECKPOINT_DISABLE: '1' };
  await runProcess(stage, [command, 'init', '-input=false'], { cwd, env });
  const peer = async () => {
    const { ms, stdout } = await runProcess(stage, [command, 'plan', '-input=false', '-no-color'], { cwd, env });
    if (!stdout.includes(`${size.moves} to change`)) throw new Error(`not the plan:\n${stdout.slice(-500)}`);
    return ms;
  };
  return {
    ...compared(what, await pairs(ours, peer, { count: 2, warmUps: 0 }), goal, inTime),
    note: `${basename(command)}, with one block for each address: with instances of one block (\`for_each\`) it took minutes`,
  };
}

/** Writes one zone with all names: `source` is declared, `target` is live. */
function octodnsFolder(stage: Stage, size: Size): string {
  const folder = join(stage.folder, `octodns-${size.ips}`);
  const provider = '{ class: octodns.provider.yaml.YamlProvider, directory:';
  const config = `providers:
  source: ${provider} source }
  target: ${provider} target, supports_root_ns: false }
zones:
  bench.example.: { sources: [source], targets: [target] }
`;
  for (const [side, changed] of Object.entries({ source: size.moves, target: 0 })) {
    const records = values(size, changed).map(
      (value, index) => `${nameOf(index)}: { ttl: 300, type: A, value: ${value} }\n`,
    );
    mkdirSync(join(folder, side), { recursive: true });
    writeFileSync(join(folder, side, 'bench.example.yaml'), `---\n${records.join('')}`);
  }
  writeFileSync(join(folder, 'config.yaml'), config);
  return folder;
}

/** Writes a block for each address, with the state after an apply. Terraform is much slower at 10,000 instances of one block. */
function terraformFolder(stage: Stage): string {
  const folder = join(stage.folder, 'terraform');
  mkdirSync(folder);
  const blocks = Object.fromEntries(values(size, size.moves).map((value, index) => [nameOf(index), { input: value }]));
  const resources = values(size, 0).map((value, index) => stateOf(nameOf(index), value));
  const state = { version: 4, serial: 1, lineage: randomUUID(), resources };
  writeFileSync(join(folder, 'main.tf.json'), JSON.stringify({ resource: { terraform_data: blocks } }));
  writeFileSync(join(folder, 'terraform.tfstate'), JSON.stringify(state));
  writeFileSync(join(folder, 'cli.tfrc'), '');
  return folder;
}

function stateOf(name: string, value: string): object {
  const typed = { value, type: 'string' };
  const attributes = { id: randomUUID(), input: typed, output: typed, triggers_replace: null };
  return {
    mode: 'managed',
    type: 'terraform_data',
    name,
    provider: 'provider["terraform.io/builtin/terraform"]',
    instances: [{ schema_version: 0, attributes, sensitive_attributes: [] }],
  };
}

/** Returns the addresses, the first of which differ. */
function values(size: Size, changed: number): string[] {
  return Array.from({ length: size.ips }, (_, index) => address(index < changed ? index + size.ips : index));
}

function nameOf(index: number): string {
  return `a${String(index).padStart(5, '0')}`;
}
