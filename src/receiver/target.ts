/** Where a delivery goes, from the URL that it was sent to: names that are safe in a folder and in a bucket. */
import { createHash } from 'node:crypto';
import { Refusal } from './refusal.ts';

export interface Target {
  /** The folders below the destination: those of the URL's path, such as the owner and the name of a delivery. */
  folders: string[];
  /** The run that the URL names, as `?run=ID`. */
  run: string | undefined;
  /** The path alone, encoded and not long: a query may hold a secret. */
  path: string;
}

/** @throws Refusal */
export function targetOf(requestUrl: string): Target {
  const { pathname, searchParams } = parsedUrl(requestUrl);
  const parts = pathname.split('/').filter((part) => part !== '');
  if (parts.length > mostFolders)
    throw new Refusal(400, 'path-too-deep', `The path has more than ${mostFolders} parts.`);
  return {
    folders: parts.map((part) => safeName(decoded(part))),
    run: searchParams.get('run') || undefined,
    path: pathname.slice(0, longestPath),
  };
}

/** The name says what is in the file: the same delivery again has the same name. */
export function fileNameOf(run: string | undefined, sha256: string, extension: string): string {
  return [...(run === undefined ? [] : [safeName(run)]), sha256, extension].join('.');
}

/** The record of all deliveries, beside their folders. */
export const recordName = 'received.jsonl';

const mostFolders = 8;
const longestName = 64;
const longestPath = 500;

/** URLs take `..` out themselves; what is encoded comes here. */
function parsedUrl(requestUrl: string): URL {
  const url = URL.parse(requestUrl.startsWith('/') ? `http://receiver${requestUrl}` : requestUrl);
  if (url === null) throw new Refusal(400, 'no-path', 'The request has no usable path.');
  return url;
}

/**
 * No separators, no control characters, nothing hidden, not long, not the name of a file of the receiver's own. A name that had
 * to be changed ends with a hash of what it was, so that two names stay two.
 */
export function safeName(text: string): string {
  const safe = text
    .replaceAll(/[^\w.-]/g, '_')
    .replace(/^([.-]|$)/, '_')
    .slice(0, longestName);
  const isSame = safe === text && text !== recordName;
  return isSame ? text : `${safe}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
