/** A Pulumi project that uses the native provider: the built plugin on PATH, or one in this process that the engine attaches to. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { Provider } from '../../../../providers/plugin/provider.ts';
import { serve } from '../../../../providers/plugin/server.ts';
import { type AccountInput, type Emulator, readAccount, startEmulator } from '../../../../src/emulator/index.ts';
import { openServing, type Serving, token } from '../../../triggers/serving.ts';
import { type PulumiRun, path, type StateResource, startPulumi } from '../harness.ts';
import { writeStack } from '../stack.ts';

export interface NativeProject extends AsyncDisposable {
  emulator: Emulator;
  serving: Serving;
  folder: string;
  /** Writes a file of the project. */
  write(name: string, text: string): Promise<void>;
  /** Writes the resources of a YAML program. */
  resources(yaml: string): Promise<void>;
  /** `pulumi COMMAND …`, never asking. */
  pulumi(...args: string[]): Promise<PulumiRun>;
  state(): Promise<StateResource[]>;
}

interface NativeOptions {
  /** Serves the provider in this process: faster, because no plugin is started. By default, the engine starts the built plugin. */
  isAttached?: boolean;
  /** Lines of Pulumi.yaml. By default, those of a YAML program. */
  runtime?: string;
  /** Read at each command, so that a test can change it. */
  env?: Readonly<Record<string, string>>;
  profile?: Readonly<Record<string, unknown>>;
}

export const pluginFolder = resolve('dist/plugin');

export async function openNativeProject(
  account: string | AccountInput,
  options: NativeOptions = {},
): Promise<NativeProject> {
  const { isAttached = false, runtime = 'runtime: yaml', profile = { settleSeconds: 1 } } = options;
  const input = typeof account === 'string' ? await readAccount(account) : account;
  const [emulator, serving, folder] = await Promise.all([
    startEmulator(input, { port: 0, managerPort: 0 }),
    openServing(),
    mkdtemp(join(tmpdir(), 'webdata-native-')),
  ]);
  const served = isAttached
    ? await serve(() => new Provider({ version: '0.0.0', log: async () => {} }), { version: '0.0.0' })
    : undefined;
  const provider: Readonly<Record<string, string>> = served
    ? { PULUMI_DEBUG_PROVIDERS: `webdata:${served.port}` }
    : { PATH: [pluginFolder, path].join(delimiter) };
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  const pulumi = (...args: string[]) => startPulumi(args, folder, { env: { ...provider, ...options.env } }).finished;
  await write('Pulumi.yaml', `name: test\n${runtime}\n`);
  const { apiUrl, managerUrl, keys } = emulator;
  await writeStack(folder, {
    plain: { apiUrl, managerUrl, triggersUrl: serving.url, profile },
    secret: { apiKey: keys.ops, triggersToken: token },
  });
  return {
    emulator,
    serving,
    folder,
    write,
    resources: (yaml) => write('Pulumi.yaml', `name: test\n${runtime}\nresources:\n${yaml}`),
    pulumi,
    async state() {
      const file = join(folder, 'exported.json');
      await pulumi('stack', 'export', '--show-secrets', '--file', file);
      const { deployment } = JSON.parse(await readFile(file, 'utf8')) as {
        deployment: { resources?: StateResource[] };
      };
      return (deployment.resources ?? []).filter(({ type }) => type.startsWith('webdata:'));
    },
    async [Symbol.asyncDispose]() {
      served?.close();
      await Promise.all([emulator.close(), serving[Symbol.asyncDispose]()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
