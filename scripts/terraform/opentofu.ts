/** The real OpenTofu: where it is searched, and the folder into which `npm run terraform:install` builds it. */
import { delimiter, join } from 'node:path';
import { cacheFolder, isExecutable } from '../pulumi/engine.ts';

export const opentofuVersion = 'v1.12.6';

type Env = Readonly<Record<string, string | undefined>>;

/** Returns a folder outside the checkout, so that it is built once for each machine. */
export function opentofuFolder(env: Env = process.env): string {
  return join(cacheFolder(env), `opentofu-${opentofuVersion}`);
}

/** Returns the path of an installed OpenTofu or Terraform, which read the same files; undefined without one. */
export function opentofuCommand(env: Env = process.env): string | undefined {
  const folders = [...(env.PATH ?? '').split(delimiter), opentofuFolder(env)];
  return ['tofu', 'terraform'].flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}
