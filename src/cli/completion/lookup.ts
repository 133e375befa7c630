/** Candidates from the declaration and the journal. A missing or broken file has none, and prints nothing. */
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { formatNames } from '../../report/formats.ts';
import { isMapValue } from '../../values/plain.ts';
import type { Candidate, Given, Lookup } from './candidates.ts';

/** Parsing a larger declaration would take too long for a Tab. */
const longest = 256 * 1024;

/** `kinds` maps collections to kinds. */
export function lookupIn(cwd: string, kinds: Readonly<Record<string, string>>): Lookup {
  return async (value, given) => {
    if (value === 'format=file') return formatNames.map((name) => ({ value: `${name}=`, summary: '' }));
    if (value === 'kind/name') return declaredNames(filesOf(given, cwd), kinds, given);
    if (value === 'run') return runIds(journalOf(given, cwd));
    return [];
  };
}

function filesOf({ values }: Given, cwd: string): string[] {
  return (values.get('--file') ?? ['webdata.yaml']).map((file) => resolve(cwd, file));
}

function journalOf(given: Given, cwd: string): string {
  const named = given.values.get('--journal')?.at(-1);
  const [file = ''] = filesOf(given, cwd);
  return named === undefined ? join(dirname(file), '.webdata', 'journal.jsonl') : resolve(cwd, named);
}

async function declaredNames(
  files: readonly string[],
  kinds: Readonly<Record<string, string>>,
  { values }: Given,
): Promise<Candidate[]> {
  const maps = await Promise.all(files.map(mapIn));
  const selectors = maps.flatMap((map) =>
    Object.entries(kinds).flatMap(([collection, kind]) => namesIn(map[collection]).map((name) => `${kind}/${name}`)),
  );
  const selected = values.get('--select') ?? [];
  return [...new Set(selectors)].filter((each) => !selected.includes(each)).map((value) => ({ value, summary: '' }));
}

function namesIn(collection: unknown): string[] {
  return isMapValue(collection) ? Object.keys(collection).filter((name) => /^[\w.-]+$/.test(name)) : [];
}

async function mapIn(file: string): Promise<Record<string, unknown>> {
  try {
    if ((await stat(file)).size > longest) return {};
    const { parseDocument } = await import('yaml');
    const value: unknown = parseDocument(await readFile(file, 'utf8'), { merge: true, logLevel: 'silent' }).toJS();
    return isMapValue(value) ? value : {};
  } catch {
    return {};
  }
}

/** Returns the runs that made calls, newest first. */
async function runIds(journal: string): Promise<Candidate[]> {
  const [{ openFolderBackend }, { readJournal }] = await Promise.all([
    import('../../backend/folder/folderBackend.ts'),
    import('../../sync/run/journalReader.ts'),
  ]);
  const runs = await readJournal(openFolderBackend({ journal, lockKey: '' })).catch(() => []);
  return runs
    .filter(({ calls }) => calls.length > 0)
    .reverse()
    .map(({ id, command, startedAt, calls }) => ({
      value: id.slice(0, 8),
      summary: `${command} of ${startedAt.slice(0, 16).replace('T', ' ')}, ${calls.length} calls`,
    }));
}
