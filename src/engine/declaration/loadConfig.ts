/** Reads the files of a declaration. */
import { resolve } from 'node:path';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { mergeSources, type YamlSource } from '../../base/yaml/source.ts';
import { type Config, configOf } from './config.ts';
import type { Settings } from './connection.ts';
import {
  expandShortLists,
  fileName,
  keyOfFile,
  type ListContent,
  type ListContents,
  namedItems,
} from './shortLists.ts';
import {
  type DeclarationFile,
  declarationFolder,
  declarationFolders,
  declarationPlaces,
  NamedFiles,
} from './sources.ts';

/** Reads a base and its overlays. @throws ProblemError with all problems of the files and their locations */
export async function loadConfig(names: readonly string[], settings: Settings): Promise<Config> {
  const { files, lists } = await readDeclaration(names, settings);
  return configOfSource(mergeSources(files.map(({ source }) => source)), lists, names, settings);
}

/** Reads the files of the declaration, in the order in which they are merged, and the files that its lists name. */
export async function readDeclaration(
  names: readonly string[],
  { env, folder = '.', stdin, isDefaultFile }: Settings,
): Promise<{ files: DeclarationFile[]; lists: ListContents }> {
  const named = new NamedFiles(names, { env, folder, stdin, isDefaultFile });
  const files = await named.readAll();
  return { files, lists: await readLists(mergeSources(files.map(({ source }) => source)), named) };
}

/** Returns the text of each file, or why it cannot be read. */
async function readLists(source: YamlSource, files: NamedFiles): Promise<ListContents> {
  const read = new Map<string, ListContent | ProblemError>();
  for (const { item, path } of namedItems(source)) {
    const place = source.locationOf(path);
    const name = fileName(item);
    if (name === undefined || read.has(keyOfFile(name, place))) continue;
    try {
      read.set(keyOfFile(name, place), await files.read(name, place));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      read.set(keyOfFile(name, place), error);
    }
  }
  return read;
}

/** Returns the configuration of a merged source, which may have been edited since it was read. @throws ProblemError */
export function configOfSource(
  source: YamlSource,
  lists: ListContents,
  names: readonly string[],
  settings: Settings,
): Config {
  const { folder: start = '.' } = settings;
  const folder = resolve(start, declarationFolder(names[0] ?? '', start));
  const config = configOf(expandShortLists(source, lists), { ...settings, folder });
  return {
    ...config,
    places: declarationPlaces(names, start, config.name),
    folders: declarationFolders(names, start),
  };
}
