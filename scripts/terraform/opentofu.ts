/** The real OpenTofu: where it is searched, and the folder into which `npm run terraform:install` builds it. */
import { delimiter, join } from 'node:path';
import { cacheFolder, isExecutable } from '../pulumi/engine.ts';

export const opentofuVersion = 'v1.12.6';

type Env = Readonly<Record<string, string | undefined>>;

/** Returns a folder outside the checkout, so that it is built once for each machine. */
export function opentofuFolder(env: Env = process.env): string {
  return join(cacheFolder(env), `opentofu-${opentofuVersion}`);
}

/** Returns the path of an installed OpenTofu; undefined without one. Terraform may be too old for what the tests import by identity. */
export function opentofuCommand(env: Env = process.env): string | undefined {
  const folders = [...(env.PATH ?? '').split(delimiter), opentofuFolder(env)];
  return folders.map((folder) => join(folder, 'tofu')).find(isExecutable);
}
