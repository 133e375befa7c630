/** The real Pulumi CLI: the folders in which it is searched, and the one into which `npm run pulumi:install` installs it. */
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

/** Version of the CLI. The language hosts have versions of their own, which work with it. */
export const engineVersion = 'v3.232.0';

/** The CLI, the hosts of the languages in which tests write programs, and the generator of SDKs. */
export const executables = [
  'pulumi',
  'pulumi-language-nodejs',
  'pulumi-language-python',
  'pulumi-language-python-exec',
  'pulumi-language-yaml',
  'generate-sdk',
] as const;

export type Executable = (typeof executables)[number];

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the folder for programs that are built once for each machine. */
export function cacheFolder(env: Env = process.env): string {
  return join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'pulumi-webdata');
}

export function engineFolder(env: Env = process.env): string {
  return join(cacheFolder(env), `engine-${engineVersion}`);
}

/** Returns a PATH with Pulumi and everything that it starts; undefined without an engine. An installed Pulumi is preferred. */
export function pathWithEngine(env: Env = process.env): string | undefined {
  const path = env.PATH ?? '';
  // The SDK contains the provider that runs dynamic resources.
  const sdk = resolve('node_modules/@pulumi/pulumi');
  if (isOn(path.split(delimiter))) return [path, sdk].join(delimiter);
  return isOn([engineFolder(env)]) ? [engineFolder(env), path, sdk].join(delimiter) : undefined;
}

function isOn(folders: readonly string[]): boolean {
  return executables.every((name) => folders.some((folder) => isExecutable(join(folder, name))));
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
