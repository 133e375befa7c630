/** The provider as the registries of Terraform and OpenTofu expect it: an archive for each platform, a manifest, and checksums. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Zippable, zipSync } from 'fflate';
import { version } from '../../src/version.ts';
import { providerFolder, providerName } from './provider.ts';

const platforms = ['darwin', 'linux', 'windows'].flatMap((system) =>
  ['amd64', 'arm64'].map((processor) => `${system}_${processor}`),
);

const registryManifest = { version: 1, metadata: { protocol_versions: ['6.0'] } };

/** Writes the archives, the manifest under both of its names, and the checksums of the archives into a folder. */
export function writeArchives(folder: string): void {
  const names = platforms.map((platform) => {
    const name = `${providerName}_${version}_${platform}.zip`;
    writeFileSync(join(folder, name), archiveFor(platform));
    return name;
  });
  const manifest = `${JSON.stringify(registryManifest, undefined, 2)}\n`;
  const manifestName = `${providerName}_${version}_manifest.json`;
  for (const name of ['terraform-registry-manifest.json', manifestName]) writeFileSync(join(folder, name), manifest);
  const sums = [...names, manifestName].toSorted().map((name) => `${sha256(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, `${providerName}_${version}_SHA256SUMS`), sums.join(''));
}

/** The archives differ in the program that starts the provider: the rest needs nothing of a platform but Node. */
function archiveFor(platform: string): Uint8Array {
  const launcher = platform.startsWith('windows') ? `${providerName}.cmd` : providerName;
  const started = platform.startsWith('windows') ? `${providerName}_v${version}.cmd` : `${providerName}_v${version}`;
  const shared = readdirSync(providerFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ![providerName, `${providerName}.cmd`].includes(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(providerFolder.length + 1));
  const files: Zippable = {
    [started]: entryOf(launcher, 0o755),
    ...Object.fromEntries(shared.toSorted().map((name) => [name, entryOf(name, 0o644)])),
  };
  return zipSync(files);
}

type Entry = [Uint8Array, { os: number; attrs: number; mtime: Date }];

/** The modes of files are those of Unix, and their times are fixed, so that equal builds give equal archives. */
function entryOf(name: string, mode: number): Entry {
  return [
    readFileSync(join(providerFolder, name)),
    { os: 3, attrs: mode << 16, mtime: new Date('2026-01-01T00:00:00Z') },
  ];
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
