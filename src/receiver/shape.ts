/** What a delivery is, by its form: rows, or the notification that a run is finished. The whole is never held. */
import { isMapValue, parsedJson } from '../input/plain.ts';
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
  let first: number | undefined;
  let last: number | undefined;
  let head: Buffer[] = [];
  let bytes = 0;
  return {
    see(piece) {
      bytes += piece.length;
      if (bytes <= longestNotification) head.push(piece);
      else head = [];
      first ??= piece.subarray(0, longestBlank).find(isVisible);
      last = piece.subarray(-longestBlank).findLast(isVisible) ?? (piece.length > longestBlank ? undefined : last);
    },
    shape(contentType = '') {
      if (first === undefined) throw new Refusal(400, 'empty', 'The body is empty.');
      const end = ends.get(first);
      if (end !== undefined && last !== undefined && last !== end)
        throw new Refusal(400, 'cut-off', 'The JSON is cut off.');
      if (first === byte.open) return { kind: 'rows', extension: 'json' };
      if (first === byte.openBrace) return shapeOfObjects(contentType, Buffer.concat(head).toString());
      return /\bcsv\b/i.test(contentType) ? { kind: 'rows', extension: 'csv' } : { kind: 'other', extension: 'data' };
    },
  };
}

const longestNotification = 64 * 1024;
/** Looked at in each piece: a body may be a gigabyte of white space, and nobody is to wait for that. */
const longestBlank = 1024;

const byte = { space: 0x20, open: 0x5b, close: 0x5d, openBrace: 0x7b, closeBrace: 0x7d };
const ends: ReadonlyMap<number, number> = new Map([
  [byte.open, byte.close],
  [byte.openBrace, byte.closeBrace],
]);

function isVisible(code: number): boolean {
  return code > byte.space;
}

/** A notification is one small object; the specification does not show its fields. Rows that come one a line are many. */
function shapeOfObjects(contentType: string, text: string): Shape {
  const value = /\b(x-)?(ndjson|jsonl)\b/i.test(contentType) ? undefined : parsedJson(text);
  if (!isMapValue(value)) return { kind: 'rows', extension: 'ndjson' };
  const ids = [value.collection_id, value.snapshot_id, value.id].filter((id) => typeof id === 'string');
  const run = ids.find((id) => id !== '');
  return { kind: 'notification', extension: 'notification.json', ...(run === undefined ? {} : { run }) };
}
