/** Detects what a delivery contains: rows, or the notification that a job is finished. Never holds the whole delivery. */
import { isMapValue, parsedJson } from '../values/plain.ts';
import { type Nesting, nestingOf } from './nesting.ts';
import { RefusedDelivery } from './refusal.ts';

export interface Shape {
  kind: 'rows' | 'notification' | 'other';
  /** The file name extension. */
  extension: 'json' | 'ndjson' | 'csv' | 'notification.json' | 'data';
  /** The id of the job that a notification names. */
  run?: string;
}

export interface ShapeFinder {
  see(piece: Buffer): void;
  /** @throws RefusedDelivery if the delivery is empty or cut off */
  shape(contentType: string | undefined): Shape;
}

/** Creates a finder that sees the pieces of a body as they arrive. */
export function shapeFinder(): ShapeFinder {
  const mark = markSkipper();
  let first: number | undefined;
  let nesting: Nesting | undefined;
  let head: Buffer[] = [];
  let bytes = 0;
  return {
    see(whole) {
      const piece = mark(whole);
      bytes += piece.length;
      if (bytes <= longestNotification) head.push(piece);
      else head = [];
      if (first === undefined) {
        first = firstVisible(piece);
        if (first === byte.open || first === byte.openBrace) nesting = nestingOf(first === byte.open);
      }
      nesting?.see(piece);
    },
    shape(contentType = '') {
      if (first === undefined) throw new RefusedDelivery(400, 'empty', 'The body is empty.');
      if (nesting?.isWhole() === false) throw new RefusedDelivery(400, 'cut-off', 'The JSON is cut off.');
      if (first === byte.open) return { kind: 'rows', extension: 'json' };
      if (first === byte.openBrace) return shapeOfObjects(contentType, Buffer.concat(head).toString());
      return /\bcsv\b/i.test(contentType) ? { kind: 'rows', extension: 'csv' } : { kind: 'other', extension: 'data' };
    },
  };
}

const longestNotification = 64 * 1024;

const byte = { space: 0x20, open: 0x5b, openBrace: 0x7b };

function firstVisible(piece: Buffer): number | undefined {
  let at = 0;
  while (at < piece.length && (piece[at] ?? 0) <= byte.space) at += 1;
  return piece[at];
}

/** Skips a leading byte order mark, even if it is split over several pieces. */
function markSkipper(): (piece: Buffer) => Buffer {
  let seen = 0;
  return (piece) => {
    let start = 0;
    while (seen < byteOrderMark.length && start < piece.length && piece[start] === byteOrderMark[seen]) {
      seen += 1;
      start += 1;
    }
    if (start < piece.length) seen = byteOrderMark.length;
    return piece.subarray(start);
  };
}

const byteOrderMark = Buffer.of(0xef, 0xbb, 0xbf);

/** A notification is one small object, whose fields the specification does not show. NDJSON has one object per line. */
function shapeOfObjects(contentType: string, text: string): Shape {
  const value = /\b(x-)?(ndjson|jsonl)\b/i.test(contentType) ? undefined : parsedJson(text);
  if (!isMapValue(value)) return { kind: 'rows', extension: 'ndjson' };
  const ids = [value.collection_id, value.snapshot_id, value.id].filter((id) => typeof id === 'string');
  const run = ids.find((id) => id !== '');
  return { kind: 'notification', extension: 'notification.json', ...(run === undefined ? {} : { run }) };
}
