/** What a delivery is, by its form: rows, or the notification that a run is finished. The whole is never held. */
import { isMapValue, parsedJson } from '../values/plain.ts';
import { type Nesting, nestingOf } from './nesting.ts';
import { Refusal } from './refusal.ts';

export interface Shape {
  kind: 'rows' | 'notification' | 'other';
  /** Of the file that keeps it. */
  extension: 'json' | 'ndjson' | 'csv' | 'notification.json' | 'data';
  /** The run that a notification names. */
  run?: string;
}

export interface ShapeFinder {
  see(piece: Buffer): void;
  /** @throws Refusal where the whole is empty, or ends in the middle */
  shape(contentType: string | undefined): Shape;
}

/** Looks at the pieces of a body as they come. */
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
      if (first === undefined) throw new Refusal(400, 'empty', 'The body is empty.');
      if (nesting?.isWhole() === false) throw new Refusal(400, 'cut-off', 'The JSON is cut off.');
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

/** Takes a byte order mark off the beginning, also where it comes in several pieces. */
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

/** A notification is one small object; the specification does not show its fields. Rows that come one a line are many. */
function shapeOfObjects(contentType: string, text: string): Shape {
  const value = /\b(x-)?(ndjson|jsonl)\b/i.test(contentType) ? undefined : parsedJson(text);
  if (!isMapValue(value)) return { kind: 'rows', extension: 'ndjson' };
  const ids = [value.collection_id, value.snapshot_id, value.id].filter((id) => typeof id === 'string');
  const run = ids.find((id) => id !== '');
  return { kind: 'notification', extension: 'notification.json', ...(run === undefined ? {} : { run }) };
}
