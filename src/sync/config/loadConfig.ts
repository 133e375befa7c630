/** Reads the files of a declaration. */
import { dirname, resolve } from 'node:path';
import { isFolder } from '../../files/folders.ts';
import { mergeSources } from '../../yaml/source.ts';
import { type Config, configOf, type Settings } from './config.ts';
import { fetchOptions, readLists } from './readLists.ts';
import { expandShortLists, fetchedListsIn } from './shortLists.ts';
import { NamedFiles } from './sources.ts';

/** Reads a base and its overlays. @throws ProblemError with all problems of the files and their locations */
export async function loadConfig(files: readonly string[], settings: Settings): Promise<Config> {
  const { env, folder: start = '.' } = settings;
  const named = new NamedFiles(files, { env, folder: start });
  const read = (await Promise.all(files.map((file) => named.readDeclared(file)))).flat();
  const source = mergeSources(read.map((each) => each.source));
  const first = resolve(start, files[0] ?? '');
  const folder = (await isFolder(first)) ? first : dirname(first);
  const contents = await readLists(source, named, fetchOptions(settings));
  const config = configOf(expandShortLists(source, contents), { ...settings, folder });
  const skipped = [...contents.values()].filter((content) => 'isSkipped' in content);
  return { ...config, lists: fetchedListsIn(source, contents), skippedLists: skipped.length };
}
