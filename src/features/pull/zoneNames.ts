/** The zones of `--zone`: names, lists of names with commas, and files with a name on each line. */
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { readText, type TextSource } from '../../base/files/textFile.ts';

/** Returns each name once. Comments in files begin with #. @throws ProblemError if a part is empty */
export async function zoneNames(values: readonly string[], source: TextSource): Promise<string[]> {
  const lists = await Promise.all(
    values
      .flatMap((value) => value.split(',').map((part) => part.trim()))
      .map(async (part) => (part.startsWith('@') ? inFile(part.slice(1), source) : [part])),
  );
  const names = lists.flat();
  if (names.includes('')) throw new ProblemError([emptyName(values)]);
  return [...new Set(names)];
}

async function inFile(file: string, source: TextSource): Promise<string[]> {
  const lines = (await readText(file, source)).split(/\r?\n/).map((line) => line.replace(/#.*/, '').trim());
  return lines.filter((line) => line !== '');
}

function emptyName(values: readonly string[]) {
  return {
    code: 'empty-name',
    found: `--zone ${values.join(' --zone ')} has an empty name`,
    allowed: 'names of zones, separated by commas, or @FILE with a name on each line',
  };
}
