/** A Pulumi stack of the resources of this package, against the same stack of dynamic resources that do nothing. */
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathWithEngine } from '../scripts/pulumi/engine.ts';
import { absent, type Benchmark, type Row, type Stage, unlessReached } from './frame/benchmark.ts';
import { type RunningEmulator, startEmulator } from './frame/emulator.ts';
import { atMost, compared, pairs } from './frame/pairs.ts';
import { runProcess } from './frame/process.ts';
import { inTime } from './frame/units.ts';

type Which = 'ours' | 'floor';

/** The number of resources, and the number of IPs that each of them declares. */
interface Shape {
  what: string;
  resources: number;
  ips: number;
}

/** The measured stacks. With 200 resources, each update takes half a minute. */
const shapes: readonly Shape[] = [
  { what: '1 resource of 10,000 IPs', resources: 1, ips: 10_000 },
  { what: '50 resources of 40 IPs', resources: 50, ips: 40 },
];
const count = 3;
const goal = atMost(1.3);
const steps = { up: ['up', '--yes', '--skip-preview'], preview: ['preview', '--expect-no-changes'] } as const;

export const benchmark: Benchmark = {
  name: 'pulumi',
  about:
    '**pulumi**: `pulumi up` of a new stack and a `pulumi preview` without changes, on the real engine with its state in files, against the same stack of dynamic resources with the same inputs and handlers that do nothing. Every IP is where it is declared to be: ours reads the account and has nothing to move.',
  async run(stage) {
    const path = pathWithEngine();
    if (path === undefined)
      return shapes.map(({ what }) => absent(`pulumi, ${what}`, 'Pulumi', goal.text, '`npm run pulumi:install`'));
    const rows: Row[] = [];
    for (const shape of shapes) rows.push(...(await measure(stage, path, shape)));
    return rows;
  },
};

async function measure(stage: Stage, path: string, shape: Shape): Promise<Row[]> {
  const { what } = shape;
  const emulator = await startEmulator(stage, accountFor(shape));
  const project = (which: Which) => projectFor(stage, path, shape, emulator, which);
  const both = { ours: await project('ours'), floor: await project('floor') };
  const rowOf = async (step: keyof typeof steps) => {
    const measured = await pairs(both.ours[step], both.floor[step], { count });
    const row = compared(`pulumi ${step}, ${what}`, measured, goal, inTime);
    return unlessReached(
      row,
      'unlike the floor, ours loads the package and reads from the service what each zone holds',
    );
  };
  return [await rowOf('up'), await rowOf('preview')];
}

const zone = (index: number) => `zone-${index}`;
const address = (index: number) => `10.0.${index >> 8}.${index & 255}`;

/** Returns an account in which the IPs of each zone are a range. */
function accountFor({ resources, ips }: Shape): string {
  const zones = Array.from({ length: resources }, (_, index) => {
    const [first, last] = [address(index * ips), address((index + 1) * ips - 1)];
    return `  ${zone(index)}: { ips: { us: [${first}-${last}] } }\n`;
  });
  return `id: hl_bench\nzones:\n${zones.join('')}`;
}

/** The inputs of each resource. */
function inputsOf({ resources, ips }: Shape): unknown[] {
  return Array.from({ length: resources }, (_, index) => ({
    zones: { [zone(index)]: { ips: Array.from({ length: ips }, (_, part) => address(index * ips + part)) } },
  }));
}

const programs: Readonly<Record<Which, string>> = {
  ours: `import { ZoneIpAllocation } from 'pulumi-webdata/pulumi';
const make = (name, inputs) => new ZoneIpAllocation(name, inputs);`,
  floor: `import { dynamic } from '@pulumi/pulumi';
const provider = {
  check: async (olds, inputs) => ({ inputs, failures: [] }),
  diff: async () => ({ changes: false }),
  create: async (inputs) => ({ id: 'made', outs: inputs }),
};
class Nothing extends dynamic.Resource {
  constructor(name, inputs) {
    super(provider, name, inputs);
  }
}
const make = (name, inputs) => new Nothing(name, inputs);`,
};

const everyProgram = `import { readFileSync } from 'node:fs';
for (const [index, inputs] of JSON.parse(readFileSync('inputs.json', 'utf8')).entries()) make('resource-' + index, inputs);
`;

interface Project {
  /** Returns the milliseconds for a new stack. */
  up(): Promise<number>;
  /** Returns the milliseconds for the stack that was updated last. */
  preview(): Promise<number>;
}

async function projectFor(
  stage: Stage,
  path: string,
  shape: Shape,
  { apiUrl, keys }: RunningEmulator,
  which: Which,
): Promise<Project> {
  const folder = join(stage.folder, `${which}-${shape.resources}`);
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(resolve('.'), join(folder, 'node_modules', 'pulumi-webdata'));
  symlinkSync(resolve('node_modules/@pulumi'), join(folder, 'node_modules', '@pulumi'));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('Pulumi.yaml', 'name: bench\nmain: index.js\nruntime: { name: nodejs, options: { typescript: false } }\n');
  write('package.json', '{ "name": "bench", "private": true, "type": "module" }');
  write('inputs.json', JSON.stringify(inputsOf(shape)));
  write('index.js', `${programs[which]}\n${everyProgram}`);
  const [fresh, backend] = [join(folder, 'fresh'), join(folder, 'backend')];
  mkdirSync(fresh);
  const env = {
    PATH: path,
    PULUMI_HOME: join(folder, 'home'),
    PULUMI_CONFIG_PASSPHRASE: 'bench',
    PULUMI_SKIP_UPDATE_CHECK: 'true',
    WEBDATA_API_URL: apiUrl,
    WEBDATA_API_KEY: keys.ops ?? '',
  };
  const pulumi = (state: string, ...args: string[]) =>
    runProcess(stage, ['pulumi', '--non-interactive', ...args], {
      cwd: folder,
      env: { ...env, PULUMI_BACKEND_URL: `file://${state}` },
    });
  await pulumi(fresh, 'stack', 'init', 'dev');
  return {
    async up() {
      rmSync(backend, { recursive: true, force: true });
      cpSync(fresh, backend, { recursive: true });
      return (await pulumi(backend, ...steps.up)).ms;
    },
    preview: async () => (await pulumi(backend, ...steps.preview)).ms,
  };
}
