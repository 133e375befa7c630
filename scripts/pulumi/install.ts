/**
 * `npm run pulumi:install`: builds the Pulumi CLI and its Node language host from their Go modules, unless Pulumi is installed. Takes some
 * minutes, once for each machine.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { engineFolder, engineVersion, executables, pathWithEngine } from './engine.ts';

const packages = {
  cli: 'github.com/pulumi/pulumi/pkg/v3/cmd/pulumi',
  language: 'github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs',
} as const;

function install(): void {
  if (pathWithEngine() !== undefined) {
    console.log('Pulumi is there already.');
    return;
  }
  if (spawnSync('go', ['version']).status !== 0) {
    console.error(
      'Neither Pulumi nor Go is on the PATH: install one of them (Pulumi: https://www.pulumi.com/docs/install).',
    );
    process.exitCode = 1;
    return;
  }
  const folder = engineFolder();
  mkdirSync(dirname(folder), { recursive: true });
  // Build next to the target and rename, so that the target is always complete.
  const building = mkdtempSync(`${folder}-`);
  try {
    for (const part of ['language', 'cli'] as const) build(part, building);
    rmSync(folder, { recursive: true, force: true });
    renameSync(building, folder);
    console.log(`Pulumi ${engineVersion} is in ${folder}.`);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

function build(part: keyof typeof packages, folder: string): void {
  console.log(`Building ${executables[part]} …`);
  const flags = `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${engineVersion}`;
  const { status } = spawnSync(
    'go',
    ['build', '-mod=readonly', '-ldflags', flags, '-o', join(folder, executables[part]), packages[part]],
    { cwd: resolve('scripts/pulumi', part), stdio: 'inherit' },
  );
  if (status !== 0) throw new Error(`building ${executables[part]} ended with ${status}`);
}

install();
