/** Generates the SDKs of the built plugin for programs in TypeScript and Python, as `pulumi package add` does for users. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bundle/paths.ts';
import { pluginFolder } from './plugin.ts';

export interface Sdks {
  /** An npm package, compiled. */
  node: string;
  /** A folder for PYTHONPATH. */
  python: string;
}

/** `path` is a PATH with the engine. By default, the SDKs are in dist/plugin/sdk, which every build of the plugin deletes. */
export function buildSdks(path: string, folder: string = join(pluginFolder, 'sdk')): Sdks {
  const sdks = { node: join(folder, 'nodejs/bin'), python: join(folder, 'python-packages') };
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

function generate(path: string, folder: string): void {
  const source = join(folder, 'nodejs');
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, PATH: path } });
  run('generate-sdk', join(pluginFolder, 'schema.json'), folder);
  run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', source);
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
    join(folder, 'python-packages'),
    join(folder, 'python'),
  );
}
