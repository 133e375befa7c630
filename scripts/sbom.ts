/**
 * `npm run sbom [-- FILE]`: what the published package brings with it, as CycloneDX, by default in dist, which is published. Of the lock
 * file only what users install: npm leaves out of its own list what is a dependency of a peer as well.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');
const [file = join(root, 'dist/sbom.cdx.json')] = process.argv.slice(2);
const target = resolve(file);
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, `${JSON.stringify(sbom(), null, 2)}\n`);

/** The same for the same lock file: without a time and a number of its own, which the format does not ask for. */
function sbom() {
  const folder = mkdtempSync(join(tmpdir(), 'webdata-sbom-'));
  try {
    const { name, version, description, license, dependencies } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    );
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, description, license, dependencies }));
    copyFileSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'));
    npm(folder, 'install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund');
    const { serialNumber: _, ...document } = JSON.parse(
      npm(folder, 'sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'),
    );
    const { timestamp: __, component, ...metadata } = document.metadata;
    // npm names it after the folder.
    return { ...document, metadata: { ...metadata, component: { ...component, name } } };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function npm(cwd: string, ...args: readonly string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
