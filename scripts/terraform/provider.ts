/** `npm run terraform:provider`: builds the provider into dist/terraform, where `dev_overrides` of Terraform and OpenTofu find it. */
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { fixedVersion } from '../bundle/fixedVersion.ts';
import { dist, root } from '../bundle/paths.ts';
import { failOnLog, whiteSpaceOnly } from '../bundle/vendored.ts';

export const providerName = 'terraform-provider-webdata';
export const providerFolder = join(dist, 'terraform');
/** The clients take any file that begins with the name of the provider for its executable. */
const program = 'provider.mjs';

/** Node beside the executable comes first, so that a release can bring its own. */
const launchers: Readonly<Record<string, string>> = {
  [providerName]: `#!/bin/sh
here=$(dirname "$0")
[ -x "$here/node" ] && exec "$here/node" "$here/${program}" "$@"
exec node "$here/${program}" "$@"
`,
  [`${providerName}.cmd`]: `@echo off\r\nnode "%~dp0${program}" %*\r\n`,
};

/** Builds everything into the folder, and returns it. `main` is another program only in a benchmark. */
export async function buildProvider(folder = providerFolder, main = 'providers/terraform/main.ts'): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const bundle = await rolldown({
    input: root + main,
    platform: 'node',
    // pg loads it only for programs that ask for it.
    external: ['pg-native'],
    // Every start of the provider opens a session.
    checks: { ineffectiveDynamicImport: false },
    plugins: [fixedVersion()],
    onLog: failOnLog,
  });
  await bundle.write({
    dir: folder,
    entryFileNames: program,
    chunkFileNames: join('chunks', '[name]-[hash].mjs'),
    minify: whiteSpaceOnly,
  });
  for (const name of ['protocol.proto', 'controller.proto']) {
    cpSync(`${root}providers/terraform/${name}`, join(folder, name));
  }
  for (const [name, text] of Object.entries(launchers)) {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

if (import.meta.main) console.log(await buildProvider());
