/** Expands patterns of file names whose expansion ends soon. */
import { glob } from 'node:fs/promises';
import { join } from 'node:path';

export function isPattern(name: string): boolean {
  return /[*?[{]/.test(name);
}

/** Returns the reason why a pattern cannot be used. `{1..99999999}` and `{a,b}{a,b}…` are expanded before the first file is looked up. */
export function patternFault(pattern: string): string | undefined {
  if (/\{[^}]*\.\./.test(pattern)) return 'has a range in braces';
  if (pattern.split('{').length > 2) return 'has several pairs of braces';
  if (/[*?+@!]\(/.test(pattern)) return 'has a group in parentheses';
  const [, rest = ''] = splitPattern(pattern);
  return rest.split(/[/\\]/).includes('..') ? 'has .. after a wildcard' : undefined;
}

export const allowedInPatterns = 'names with `*`, `**`, `?`, `[…]` and one `{a,b}`';

/** Returns the folder that all matches are in. */
export function folderOfPattern(pattern: string): string {
  return join(splitPattern(pattern)[0]);
}

/** Divides a pattern before its first name with a wildcard. */
function splitPattern(pattern: string): [folder: string, rest: string] {
  const names = pattern.split('/');
  const first = names.findIndex(isPattern);
  const at = first < 0 ? names.length - 1 : first;
  return [names.slice(0, at).join('/') || (pattern.startsWith('/') ? '/' : '.'), names.slice(at).join('/')];
}

/** Returns the matches in the order of their names, or one more than `most`, if there are more. */
export async function matchingFiles(pattern: string, cwd: string, most: number): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob(pattern, { cwd })) {
    files.push(file);
    if (files.length > most) break;
  }
  return files.sort();
}
