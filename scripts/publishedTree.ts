/**
 * A package.json and a lock file of what users get: the dependencies that npm installs and the packages that the build puts into dist.
 * npm would leave out of its own lists what is a dependency of a peer as well.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { bundledListFile } from './bundle/notices.ts';
import { root } from './bundle/paths.ts';

interface PackageVersion {
  name: string;
  version: string;
}

/** Returns what the last build put into dist. */
export function bundledInDist(): PackageVersion[] {
  return JSON.parse(readFileSync(bundledListFile, 'utf8'));
}

export function withPublishedTree<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'webdata-published-'));
  try {
    const { name, version, description, license } = manifest;
    const bundled = new Set(bundledInDist().map((each) => each.name));
    const development = Object.entries(manifest.devDependencies).filter(([each]) => bundled.has(each));
    const dependencies = { ...manifest.dependencies, ...Object.fromEntries(development) };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, description, license, dependencies }));
    copyFileSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'));
    npm(folder, 'install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund');
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function npm(cwd: string, ...args: readonly string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
