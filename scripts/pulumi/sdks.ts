/** Generates the SDKs of the built plugin for programs in TypeScript and Python, as `pulumi package add` does for users. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compiler } from '../bundle/paths.ts';
import { pluginFolder } from './plugin.ts';

export interface Sdks {
  /** An npm package, compiled. */
  node: string;
  /** A folder for PYTHONPATH. */
  python: string;
  /** A Python package that is not built yet. */
  pythonSource: string;
}

const folder = join(pluginFolder, 'sdk');

const sdks: Sdks = {
  node: join(folder, 'nodejs/bin'),
  python: join(folder, 'python-packages'),
  pythonSource: join(folder, 'python'),
};

/** `path` is a PATH with the engine. The SDKs are built once for each build of the plugin, which deletes them. */
export function buildSdks(path: string): Sdks {
  if (existsSync(folder)) return sdks;
  // Two test files may build them at once: the first one that is complete is used.
  const unfinished = mkdtempSync(`${folder}-`);
  generate(path, unfinished);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return sdks;
}

function generate(path: string, target: string): void {
  const source = join(target, 'nodejs');
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, PATH: path } });
  run('generate-sdk', join(pluginFolder, 'schema.json'), target);
  run(process.execPath, compiler, '-p', source);
  // The compiled folder is what is published.
  copyFileSync(join(source, 'package.json'), join(source, 'bin/package.json'));
  run(
    'python3',
    '-m',
    'pip',
    'install',
    '--quiet',
    '--no-deps',
    '--target',
    join(target, 'python-packages'),
    join(target, 'python'),
  );
}
