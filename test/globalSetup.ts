/** Tests that run `webdata` or the provider plugin as a process run what was built from the current sources. */
import { execFileSync } from 'node:child_process';
import { buildPlugin } from '../scripts/pulumi/plugin.ts';

export default async function build(): Promise<void> {
  const compile = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'];
  for (const args of [compile, ['scripts/copyAssets.ts'], ['scripts/bundle.ts']]) {
    execFileSync(process.execPath, args, { stdio: 'inherit' });
  }
  await buildPlugin();
}
