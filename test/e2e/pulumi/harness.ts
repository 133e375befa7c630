/** A Pulumi project in a folder of its own, on the real engine, against an emulator in this process. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe } from 'vitest';
import { pathWithEngine } from '../../../scripts/pulumi/engine.ts';
import { type AccountInput, type Emulator, readAccount, startEmulator } from '../../../src/emulator/index.ts';
import { sharedCompiledCode } from '../../compiledCode.ts';
import { stateFolder } from '../process.ts';
import { stackEnv, writeStack } from './stack.ts';

export interface PulumiRun {
  code: number | null;
  /** Standard output and error, as they came. */
  output: string;
}

export interface Project extends AsyncDisposable {
  emulator: Emulator;
  folder: string;
  /** Writes the program: what stands after the imports. */
  program(text: string): Promise<void>;
  /** `pulumi COMMAND …`, never asking. */
  pulumi(...args: string[]): Promise<PulumiRun>;
  config(settings: Readonly<Record<string, string>>): Promise<void>;
  secret(name: string, value: string): Promise<void>;
  /** The resources of a kind that the state holds. */
  state(kind: string): Promise<StateResource[]>;
}

export interface StateResource {
  id: string;
  urn: string;
  type: string;
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
}

export const path: string | undefined = pathWithEngine();

export const hasEngine: boolean = path !== undefined;

/** Skipped, and counted so, where there is no engine; in CI there has to be one. */
export const describeOnEngine = describe.skipIf(!hasEngine && process.env.CI === undefined);

interface ProjectOptions {
  /** A folder of installed packages, in place of the ones that are here. */
  modules?: string;
}

const imports = `import * as pulumi from '@pulumi/pulumi';
import { CollectorSchedule, ManagerSettings, WebhookDelivery, ZoneIpAllocation } from 'pulumi-webdata/pulumi';
`;

export async function openProject(account: string | AccountInput, options: ProjectOptions = {}): Promise<Project> {
  const { modules } = options;
  const input = typeof account === 'string' ? await readAccount(account) : account;
  const emulator = await startEmulator(input, { port: 0, managerPort: 0 });
  const folder = await mkdtemp(join(tmpdir(), 'webdata-pulumi-'));
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  // Compiling takes half a second a run. Without it, Node takes the types off; hosts that are older than the engine always compile.
  const runtime = `{ name: nodejs, options: { typescript: ${modules !== undefined} } }`;
  await write('Pulumi.yaml', `name: test\nmain: index.ts\nruntime: ${runtime}\n`);
  await write('package.json', JSON.stringify({ name: 'test', private: true, type: 'module' }));
  await write(
    'tsconfig.json',
    JSON.stringify({ compilerOptions: { strict: true, target: 'es2022', module: 'nodenext' } }),
  );
  if (modules === undefined) await linkModules(folder);
  else await symlink(modules, join(folder, 'node_modules'));

  const pulumi = (...args: string[]) => runPulumi(args, folder);
  const setUp = async (...args: string[]) => {
    const { code, output } = await pulumi(...args);
    if (code !== 0) throw new Error(`pulumi ${args[0]} ended with ${code}: ${output}`);
  };
  const { apiUrl, managerUrl, keys } = emulator;
  await writeStack(folder, {
    plain: { apiUrl, managerUrl, profile: { settleSeconds: 1 } },
    secret: { apiKey: keys.ops },
  });
  return {
    emulator,
    folder,
    pulumi,
    config(settings) {
      const values = Object.entries(settings).flatMap(([name, value]) => ['--plaintext', `webdata:${name}=${value}`]);
      return setUp('config', 'set-all', '--path', ...values);
    },
    // A value may begin with a dash.
    secret: (name, value) => setUp('config', 'set', '--secret', `webdata:${name}`, '--', value),
    program: (text) => write('index.ts', imports + text),
    async state(kind) {
      const { output } = await pulumi('stack', 'export', '--show-secrets');
      const { deployment } = JSON.parse(output) as { deployment: { resources?: StateResource[] } };
      return (deployment.resources ?? []).filter(({ type }) => type.endsWith(`:${kind}`));
    },
    async [Symbol.asyncDispose]() {
      await emulator.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The package as it is built here, beside the SDK that it was tested with. */
export async function linkModules(folder: string): Promise<void> {
  await mkdir(join(folder, 'node_modules'));
  await symlink(resolve('.'), join(folder, 'node_modules', 'pulumi-webdata'));
  await symlink(resolve('node_modules/@pulumi'), join(folder, 'node_modules', '@pulumi'));
}

/** Runs `pulumi` in a project's folder, where the engine keeps its state too. */
export function runPulumi(args: readonly string[], folder: string): Promise<PulumiRun> {
  return startPulumi(args, folder).finished;
}

interface RunningPulumi {
  child: ChildProcess;
  finished: Promise<PulumiRun>;
}

/** `alone`: in a session of its own, by which all that it starts is known. */
export function startPulumi(
  args: readonly string[],
  folder: string,
  { alone = false, env = {} }: { alone?: boolean; env?: Readonly<Record<string, string>> } = {},
): RunningPulumi {
  const child = spawn('pulumi', ['--non-interactive', ...args], {
    cwd: folder,
    env: {
      HOME: process.env.HOME,
      PATH: path,
      ...stackEnv(folder),
      PULUMI_SKIP_UPDATE_CHECK: 'true',
      // An engine lives for seconds. Collecting its garbage seldom saves a tenth of the processor time.
      GOGC: '400',
      ...sharedCompiledCode,
      ...stateFolder(),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: alone,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const finished = new Promise<PulumiRun>((done, failed) => {
    child.once('error', failed);
    child.once('close', (code) => done({ code, output: withoutNoise(output) }));
  });
  return { child, finished };
}

/** The engine's remark on where it found the SDK's provider, which is not ours. */
function withoutNoise(output: string): string {
  return output
    .split('\n')
    .filter((line) => !/using pulumi-resource-(?:pulumi-nodejs|webdata) from \$PATH/.test(line))
    .join('\n');
}

/** No stack trace, whatever went wrong. */
export const stackTrace = /^\s+at .+\(.*:\d+:\d+\)/m;
