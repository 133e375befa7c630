/** The machine on which the figures were measured. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os';
import { version } from '../../src/version.ts';

export interface Machine {
  cores: number;
  versions: Readonly<Record<string, string>>;
  /** Everything in one line. */
  text: string;
}

export function machine(): Machine {
  const versions = {
    'pulumi-webdata': version,
    node: process.versions.node,
    undici: versionOf('undici'),
    yaml: versionOf('yaml'),
  };
  const cores = availableParallelism();
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const named = Object.entries(versions).map(([name, its]) => `${name} ${its}`);
  const memory = `${Math.round(totalmem() / 1e9)} GB`;
  return {
    cores,
    versions,
    text: `${[...named, `${platform()} ${arch()}`, model].join(', ')}, ${cores} cores, ${memory}`,
  };
}

function versionOf(name: string): string {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
