/** The reach of a file: all that it imports, directly or not, types and later loads included. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the files that a file imports, with their paths from the top of the repository. */
export function importedBy(file: string, root = '.'): string[] {
  const code = readFileSync(join(root, file), 'utf8');
  return [...code.matchAll(/(?:from|import|import\()\s*'(\.[^']+\.ts)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  );
}

export function reachOf(entry: string, root = '.'): ReadonlySet<string> {
  const files = new Set([entry]);
  // A set that grows while it is read: the loop ends with the last file that was added.
  for (const file of files) for (const imported of importedBy(file, root)) files.add(imported);
  return files;
}
