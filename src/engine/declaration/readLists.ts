/** Reads the files that lists of a declaration name. */
import { ProblemError } from '../../base/diagnostics/problem.ts';
import type { YamlSource } from '../../base/yaml/source.ts';
import { fileName, keyOfFile, type ListContent, type ListContents, namedItems } from './shortLists.ts';
import type { NamedFiles } from './sources.ts';

/** Returns the text of each file, or why it cannot be read. */
export async function readLists(source: YamlSource, files: NamedFiles): Promise<ListContents> {
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
