/** Reads the files of a declaration. */
import { resolve } from 'node:path';
import { mergeSources } from '../../base/yaml/source.ts';
import { type Config, configOf } from './config.ts';
import type { Settings } from './connection.ts';
import { readLists } from './readLists.ts';
import { expandShortLists } from './shortLists.ts';
import { declarationFolder, declarationFolders, declarationPlaces, NamedFiles } from './sources.ts';

/** Reads a base and its overlays. @throws ProblemError with all problems of the files and their locations */
export async function loadConfig(files: readonly string[], settings: Settings): Promise<Config> {
  const { env, folder: start = '.', stdin, isDefaultFile } = settings;
  const named = new NamedFiles(files, { env, folder: start, stdin, isDefaultFile });
  const source = mergeSources((await named.readAll()).map((each) => each.source));
  const folder = resolve(start, declarationFolder(files[0] ?? '', start));
  const contents = await readLists(source, named);
  const config = configOf(expandShortLists(source, contents), { ...settings, folder });
  return {
    ...config,
    places: declarationPlaces(files, start, config.name),
    folders: declarationFolders(files, start),
  };
}
