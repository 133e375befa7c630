/** Tests that run `webdata` as a process run what was built from the sources as they stand. */
import { execFileSync } from 'node:child_process';

export default function build(): void {
  for (const args of [['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], ['scripts/copyAssets.ts']]) {
    execFileSync(process.execPath, args, { stdio: 'inherit' });
  }
}
