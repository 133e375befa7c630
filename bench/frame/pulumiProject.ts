/** A Pulumi project on the real engine, whose resources are those of this package or of a floor. */
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import type { Stage } from './benchmark.ts';
import type { RunningEmulator } from './emulator.ts';
import { runProcess } from './process.ts';

export type Front = 'native' | 'nativeFloor' | 'dynamic' | 'dynamicFloor';

/** The number of resources, and the number of IPs that each of them declares. */
export interface Shape {
  what: string;
  resources: number;
  ips: number;
}

export interface Project {
  folder: string;
  /** Returns the milliseconds for a new stack. */
  up(): Promise<number>;
  /** Returns the milliseconds for the stack that was updated last. */
  preview(): Promise<number>;
}

const steps = { up: ['up', '--yes', '--skip-preview'], preview: ['preview', '--expect-no-changes'] } as const;

const custom = (type: string) => `import { CustomResource } from '@pulumi/pulumi';
const make = (name, inputs) => new CustomResource('${type}', name, inputs);`;

const programs: Readonly<Record<Front, string>> = {
  native: custom('webdata:index:ZoneIpAllocation'),
  nativeFloor: custom('nothing:index:Nothing'),
  dynamic: `import { ZoneIpAllocation } from 'pulumi-webdata/pulumi';
const make = (name, inputs) => new ZoneIpAllocation(name, inputs);`,
  dynamicFloor: `import { dynamic } from '@pulumi/pulumi';
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

/** Builds the floor of the plugin into a folder, as one file too. Returns the path of its executable. */
export async function buildFloor(folder: string): Promise<string> {
  const name = 'pulumi-resource-nothing';
  const program = join(folder, `${name}.mjs`);
  const bundle = await rolldown({ input: resolve('bench/floors/nativeProvider.mjs'), platform: 'node' });
  await bundle.write({ file: program, codeSplitting: false });
  const executable = join(folder, name);
  writeFileSync(executable, `#!/bin/sh\nexec node "$(dirname "$0")/${name}.mjs" "$@"\n`, { mode: 0o755 });
  return executable;
}

/** `path` has the engine and the plugins. */
export async function openProject(
  stage: Stage,
  path: string,
  { apiUrl, keys }: Pick<RunningEmulator, 'apiUrl' | 'keys'>,
  front: Front,
  shape: Shape,
): Promise<Project> {
  const folder = join(stage.folder, `${front}-${shape.resources}`);
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(resolve('.'), join(folder, 'node_modules', 'pulumi-webdata'));
  symlinkSync(resolve('node_modules/@pulumi'), join(folder, 'node_modules', '@pulumi'));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('Pulumi.yaml', 'name: bench\nmain: index.js\nruntime: { name: nodejs, options: { typescript: false } }\n');
  write('package.json', '{ "name": "bench", "private": true, "type": "module" }');
  write('inputs.json', JSON.stringify(inputsOf(shape)));
  write('index.js', `${programs[front]}\n${everyProgram}`);
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
    folder,
    async up() {
      rmSync(backend, { recursive: true, force: true });
      cpSync(fresh, backend, { recursive: true });
      return (await pulumi(backend, ...steps.up)).ms;
    },
    preview: async () => (await pulumi(backend, ...steps.preview)).ms,
  };
}

const zone = (index: number) => `zone-${index}`;
const address = (index: number) => `10.0.${index >> 8}.${index & 255}`;

/** Returns an account in which the IPs of each zone are a range. */
export function accountOf({ resources, ips }: Shape): string {
  const zones = Array.from({ length: resources }, (_, index) => {
    const [first, last] = [address(index * ips), address((index + 1) * ips - 1)];
    return `  ${zone(index)}: { ips: { us: [${first}-${last}] } }\n`;
  });
  return `id: hl_bench\nzones:\n${zones.join('')}`;
}

/** The inputs of each resource. */
export function inputsOf({ resources, ips }: Shape): Readonly<Record<string, unknown>>[] {
  return Array.from({ length: resources }, (_, index) => ({
    zones: { [zone(index)]: { ips: Array.from({ length: ips }, (_, part) => address(index * ips + part)) } },
  }));
}
