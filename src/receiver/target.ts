/** Derives the name of a delivery from its URL: a name that is safe in folders and buckets. */
import { createHash } from 'node:crypto';
import { recordName } from '../keeping/record.ts';
import { RefusedDelivery } from './refusal.ts';

export interface DeliveryTarget {
  /** The folders below the destination: the parts of the URL's path, such as the owner and the name of a delivery. */
  folders: string[];
  /** The run in the URL's query, `?run=ID`. */
  run: string | undefined;
  /** The encoded, shortened path without the query, which may contain a secret. */
  path: string;
}

/** @throws RefusedDelivery */
export function targetOf(requestUrl: string): DeliveryTarget {
  const { pathname, searchParams } = parsedUrl(requestUrl);
  const parts = pathname.split('/').filter((part) => part !== '');
  if (parts.length > maxFolders)
    throw new RefusedDelivery(400, 'path-too-deep', `The path has more than ${maxFolders} parts.`);
  return {
    folders: parts.map((part) => safeName(decoded(part))),
    run: searchParams.get('run') || undefined,
    path: pathname.slice(0, longestPath),
  };
}

/** Builds the name from a hash of the content, so that the same delivery gets the same name again. */
export function fileNameOf(run: string | undefined, sha256: string, extension: string): string {
  return [...(run === undefined ? [] : [safeName(run)]), sha256, extension].join('.');
}

const maxFolders = 8;
const longestName = 64;
const longestPath = 500;

/** `URL` resolves plain `..` itself; encoded ones are handled by `safeName`. */
function parsedUrl(requestUrl: string): URL {
  const url = URL.parse(requestUrl.startsWith('/') ? `http://receiver${requestUrl}` : requestUrl);
  if (url === null) throw new RefusedDelivery(400, 'no-path', 'The request has no valid path.');
  return url;
}

/**
 * Returns a name without separators, control characters and leading dots, not too long, and different from the receiver's own files. A name
 * that had to be changed ends with a hash of the original, so that different names stay different.
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
