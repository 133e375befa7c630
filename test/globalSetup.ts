/** Tests that run `webdata` as a process run what was built from the sources as they stand. */
import { execFileSync } from 'node:child_process';

export default function build(): void {
  const compile = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'];
  for (const args of [compile, ['scripts/copyAssets.ts'], ['scripts/bundle.ts']]) {
    execFileSync(process.execPath, args, { stdio: 'inherit' });
  }
}
