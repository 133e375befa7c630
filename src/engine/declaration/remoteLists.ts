/**
 * Lists that a declaration names by URL. They are fetched when a plan is made and kept in its plan file, whose apply uses them unchanged.
 * Their URLs are shown without credentials and queries.
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
  /** The URL without credentials and query. */
  source: z.string(),
  fetchedAt: z.string(),
  items: z.array(z.string()),
});

export type FetchedList = Readonly<z.output<typeof fetchedListSchema>>;

/** An item `{ url }` of a list. */
export interface RemoteList extends Pick<FetchedList, 'path' | 'source'> {
  url: string;
}

export interface FetchOptions {
  env: Readonly<Record<string, string | undefined>>;
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
  const { url } = item;
  if (typeof url !== 'string') return undefined;
  return { path: formatPath(path), source: shownUrl(source.written([...path, 'url']) ?? url), url };
}

/** Returns the URL as it is in the file, with the names of variables, and without credentials and query. */
function shownUrl(url: string): string {
  return redactor()(url.replace(/:\/\/[^/?#]*@/, '://').replace(/[?#].*/s, ''));
}

export function keyOfList({ url }: RemoteList): string {
  return JSON.stringify([url]);
}
