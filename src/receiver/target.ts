/** Derives the name of a delivery from its URL: a name that is safe in folders and buckets. */
import { createHash } from 'node:crypto';
import { recordName } from '../keeping/record.ts';
import { RefusedDelivery } from './refusal.ts';

export interface DeliveryTarget {
  /** The folders below the destination: the parts of the URL's path, such as the owner and the name of a delivery. */
  folders: string[];
  /** The run in the URL's query, `?run=ID`, or in its path. */
  run: string | undefined;
  /** The tick and the run, as the path or the query names them: the beginning of the file's name. */
  label: string[];
  /** The encoded, shortened path without the query, which may contain a secret. */
  path: string;
}

/** @throws RefusedDelivery */
export function targetOf(requestUrl: string): DeliveryTarget {
  const { pathname, searchParams } = parsedUrl(requestUrl);
  const parts = pathname.split('/').filter((part) => part !== '');
  if (parts.length > maxFolders)
    throw new RefusedDelivery(400, 'path-too-deep', `The path has more than ${maxFolders} parts.`);
  const names = parts.map(decoded);
  const start = names.findIndex((_, index) => names.slice(index).every((part) => runPart.test(part)));
  const inPath = start === -1 ? [] : names.splice(start);
  const run = searchParams.get('run') || inPath.join('.').match(runId)?.[0];
  const tick = searchParams.get('tick') || undefined;
  return {
    folders: names.map(safeName),
    run,
    label: (inPath.length > 0 ? inPath : [tick, run]).filter((part) => part !== undefined).map(safeName),
    path: pathname.slice(0, longestPath),
  };
}

const runId = /r_[\da-f]{20}/;
export function isRunId(text: string): boolean {
  return runId.exec(text)?.[0] === text;
}

/** A tick, a run or both, as the trigger service puts them into an endpoint. */
const runPart = /^(?:\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(?:\.r_[\da-f]{20})?|r_[\da-f]{20})$/;

/** Builds the name from a hash of the content, so that the same delivery of a run gets the same name again. */
export function fileNameOf(label: readonly string[], sha256: string, extension: string): string {
  return [...label, sha256, extension].join('.');
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
