/**
 * Lists that a declaration names by URL or by command. They are fetched when a plan is made and kept in its plan file, whose apply uses
 * them unchanged. Their sources are shown without credentials and queries.
 */
import { z } from 'zod';
import { formatPath } from '../../base/diagnostics/path.ts';
import { isMapValue } from '../../base/values/plain.ts';
import type { YamlSource } from '../../base/yaml/source.ts';
import { redactor } from '../../client/redact.ts';

/** A list as it was fetched. */
export const fetchedListSchema = z.strictObject({
  /** The path of the item that names the list. */
  path: z.string(),
  /** The URL without credentials and query, or the command. */
  source: z.string(),
  fetchedAt: z.string(),
  items: z.array(z.string()),
});

export type FetchedList = Readonly<z.output<typeof fetchedListSchema>>;

/** An item `{ url }` or `{ command }` of a list. */
export interface RemoteList extends Pick<FetchedList, 'path' | 'source'> {
  url?: string;
  command?: readonly string[];
  /** The command line as it is in the file, with the names of variables. Lines of different words differ. */
  written?: string;
  /** The file that names the list. Its command runs in the folder of that file. */
  file: string;
}

export interface FetchOptions {
  /** The folder that names of folders are relative to. */
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The command lines that the operator allows, with words quoted as in `written`. A declaration may come from a pull request. */
  allowedCommands: readonly string[];
  /** Variables that URLs may use besides those that begin with `WEBDATA_`. */
  allowEnv: readonly string[];
  signal?: AbortSignal | undefined;
  /** Leaves the lists empty, for commands that depend on no list. */
  isSkipped?: boolean | undefined;
  /** The lists of a plan file, which are used in place of new ones. */
  pinned?: readonly FetchedList[] | undefined;
}

/** Returns the list that an item names. Other items are left to the schema. */
export function remoteListAt(item: unknown, path: readonly PropertyKey[], source: YamlSource): RemoteList | undefined {
  if (!isMapValue(item) || Object.keys(item).length !== 1) return undefined;
  const { url, command } = item;
  const { file } = source.locationOf(path);
  const written = (...keys: PropertyKey[]) => source.written([...path, ...keys]);
  if (typeof url === 'string') {
    return { path: formatPath(path), source: shownUrl(written('url') ?? url), url, file };
  }
  if (!Array.isArray(command) || command.length === 0) return undefined;
  if (!command.every((word) => typeof word === 'string')) return undefined;
  const line = commandLine(command.map((word, index) => written('command', index) ?? word));
  return { path: formatPath(path), source: redactor()(line), command, written: line, file };
}

/** Joins words by spaces. Quotes words as JSON does where the line could otherwise be read as other words. */
function commandLine(words: readonly string[]): string {
  return words.map((word) => (/^[^\s"]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}

/** Returns the URL as it is in the file, with the names of variables, and without credentials and query. */
function shownUrl(url: string): string {
  return redactor()(url.replace(/:\/\/[^/?#]*@/, '://').replace(/[?#].*/s, ''));
}

export function keyOfList({ url, command, file }: RemoteList): string {
  return JSON.stringify(url === undefined ? [file, command] : [url]);
}
