/** The package as a user gets it: packed, and installed in a folder that knows nothing of this one. */
import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Packs what the global set-up has built (building again would pull it from under other tests) and gives the tarball's path. */
export async function pack(folder: string): Promise<string> {
  npm(process.cwd(), 'pack', '--ignore-scripts', '--pack-destination', folder);
  const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  return join(folder, tarball);
}

export function npm(cwd: string, ...args: readonly string[]): string {
  return execFileSync('npm', args, { cwd, stdio: 'pipe', encoding: 'utf8' });
}
