/** The peers of `npm run bench`: where they are searched for, and where `npm run bench:peers` installs them. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export const peersFolder = join(import.meta.dirname, '../../node_modules/.cache/bench');

export const octodns = { version: '1.22.0', folder: join(peersFolder, 'octodns') } as const;

/** The command line that plans a zone, without its own arguments; undefined if it is not installed. */
export function octodnsCommand(): string | undefined {
  return firstThere([join(octodns.folder, 'bin', 'octodns-sync')]);
}

/** Returns the command line of Terraform, or of OpenTofu, which reads the same files. */
export function terraformCommand(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), join(peersFolder, 'opentofu')];
  return firstThere(['terraform', 'tofu'].flatMap((name) => folders.map((folder) => join(folder, name))));
}

function firstThere(files: readonly string[]): string | undefined {
  return files.find((file) => existsSync(file));
}
