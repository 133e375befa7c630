/** `npm run build`: compiles and bundles the sources into dist, unless dist is newer than all that it is made of. `--force` builds anyway. */
import { execFileSync } from 'node:child_process';
import { globSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiler, dist, root } from './bundle/paths.ts';

/** Folders are in the list themselves: removing a file changes the time of its folder. */
const inputs = [
  'package.json',
  'package-lock.json',
  'tsconfig*.json',
  'src',
  'src/**',
  'providers',
  'providers/**',
  'scripts/*.ts',
  'scripts/{bundle,docs}/**',
];

/** Written at the end of a complete build. */
const stamp = join(dist, '.built');

const steps = [[compiler, '-p', 'tsconfig.build.json'], ['scripts/copyAssets.ts'], ['scripts/bundle.ts']];

export function build({ force = false } = {}): void {
  if (!force && isUpToDate()) return;
  console.log('Building, about 8 s …');
  rmSync(stamp, { force: true });
  for (const step of steps) execFileSync(process.execPath, step, { cwd: root, stdio: 'inherit' });
  writeFileSync(stamp, '');
}

function isUpToDate(): boolean {
  const built = changedAt(stamp);
  return globSync(inputs, { cwd: root }).every((path) => changedAt(join(root, path)) < built);
}

/** A file that is missing is older than all others. */
function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

if (import.meta.main) build({ force: process.argv.includes('--force') });
