/** A Terraform project in a folder of its own, over an emulator and a trigger service, run by the real OpenTofu. */
import { type ChildProcess, execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { opentofuCommand } from '../../../scripts/terraform/opentofu.ts';
import { providerFolder } from '../../../scripts/terraform/provider.ts';
import { type Emulator, readAccount, startEmulator } from '../../../src/emulator/index.ts';
import { accounts, migrationsOf } from '../../cli/harness.ts';
import { openServing, token } from '../../triggers/serving.ts';
import { stateFolder } from '../process.ts';

export const tofu = opentofuCommand();

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export interface Running {
  process: ChildProcess;
  ended: Promise<Ran>;
}

export interface Project extends AsyncDisposable {
  folder: string;
  emulator: Emulator;
  env: Record<string, string>;
  /** Writes main.tf: the header, and these resources. */
  write(text: string): Promise<void>;
  tofu(...args: string[]): Promise<Ran>;
  /** Starts a command, for tests that interrupt it. */
  start(...args: string[]): Running;
  /** Runs a command, which must succeed, and returns its output. */
  succeed(...args: string[]): Promise<string>;
  apply(): Promise<string>;
  /** The moves that the service was asked for: `pricing -> checkout: 192.0.2.10`. */
  moves(): string[];
}

const built = `dev_overrides { "webdata/webdata" = ${JSON.stringify(providerFolder)} }`;

const header = `terraform {
  required_providers {
    webdata = { source = "webdata/webdata" }
  }
}
provider "webdata" {
  profile = { settle_seconds = 1 }
}
`;

/** `installation` says where OpenTofu finds the provider: by default, in the build. */
export async function openProject(account: string = accounts.plain, installation = built): Promise<Project> {
  if (tofu === undefined) throw new TypeError('OpenTofu is missing: npm run terraform:install');
  const command = tofu;
  const folder = await mkdtemp(join(tmpdir(), 'webdata-terraform-'));
  const [emulator, serving] = await Promise.all([
    readAccount(account).then((read) => startEmulator(read, { port: 0, managerPort: 0 })),
    openServing(),
  ]);
  await writeFile(join(folder, 'tofu.rc'), `provider_installation {\n  ${installation}\n}\n`);
  const env: Record<string, string> = {
    PATH: `${join(process.cwd(), 'node_modules/.bin')}:${process.env.PATH ?? ''}`,
    HOME: folder,
    ...stateFolder(),
    TF_CLI_CONFIG_FILE: join(folder, 'tofu.rc'),
    TF_IN_AUTOMATION: '1',
    CHECKPOINT_DISABLE: '1',
    WEBDATA_API_URL: emulator.apiUrl,
    WEBDATA_API_KEY: emulator.keys.ops,
    WEBDATA_MANAGER_URL: emulator.managerUrl,
    WEBDATA_TRIGGERS_URL: serving.url,
    WEBDATA_TRIGGERS_TOKEN: token,
  };
  const start = (...args: string[]): Running => {
    const [verb = '', ...rest] = args;
    const input = ['plan', 'apply', 'destroy', 'import'].includes(verb) ? ['-input=false'] : [];
    const { promise, resolve } = Promise.withResolvers<Ran>();
    const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 };
    const process = execFile(command, [verb, ...input, ...rest], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
    return { process, ended: promise };
  };
  const run = (...args: string[]) => start(...args).ended;
  const succeed = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args);
    if (code !== 0) throw new Error(`tofu ${args.join(' ')} exited with ${code}:\n${stdout}\n${stderr}`);
    return stdout;
  };
  return {
    folder,
    emulator,
    env,
    write: (text) => writeFile(join(folder, 'main.tf'), header + text),
    start,
    tofu: run,
    succeed,
    apply: () => succeed('apply', '-auto-approve', '-no-color'),
    moves: () => migrationsOf(emulator.requests()),
    async [Symbol.asyncDispose]() {
      await Promise.all([emulator.close(), serving[Symbol.asyncDispose]()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Tests on the real OpenTofu. Without it, they are skipped visibly; in CI there has to be one. */
export const describeOnTofu = describe.skipIf(tofu === undefined && process.env.CI === undefined);
