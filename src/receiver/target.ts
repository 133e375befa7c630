/** Derives the name of a delivery from its URL: a name that is safe in folders and buckets. */
import { createHash } from 'node:crypto';
import { recordName } from '../keeping/record.ts';
import { mostParts, type RunAddress, runAddressOf } from '../keeping/runAddress.ts';
import { RefusedDelivery } from './refusal.ts';

export interface DeliveryTarget extends RunAddress {
  /** The encoded, shortened path without the query, which may contain a secret. */
  path: string;
}

/** @throws RefusedDelivery */
export function targetOf(requestUrl: string): DeliveryTarget {
  const url = parsedUrl(requestUrl);
  const address = runAddressOf(url);
  if (address === undefined)
    throw new RefusedDelivery(400, 'path-too-deep', `The path has more than ${mostParts} parts.`);
  const { folders, run, label } = address;
  return { folders: folders.map(safeName), run, label: label.map(safeName), path: url.pathname.slice(0, longestPath) };
}

/** Builds the name from a hash of the content, so that the same delivery of a run gets the same name again. */
export function fileNameOf(label: readonly string[], sha256: string, extension: string): string {
  return [...label, sha256, extension].join('.');
}

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
