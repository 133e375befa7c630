/** Tests that run `webdata` as a process run what was built from the sources as they stand. */
import { execFileSync } from 'node:child_process';

export default function build(): void {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
    stdio: 'inherit',
  });
}
