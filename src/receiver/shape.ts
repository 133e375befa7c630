/** Detects what a delivery contains: rows, or the notification that a job is finished. Never holds the whole delivery. */
import { isMapValue, parsedJson } from '../base/values/plain.ts';
import { withoutMark } from '../base/values/utf8.ts';
import type { ContentKind, Doubt } from '../keeping/destination.ts';

export interface Shape {
  kind: ContentKind;
  /** The file name extension. */
  extension: 'json' | 'ndjson' | 'csv' | 'notification.json' | 'data';
  /** The id of the job that a notification names. */
  run?: string;
  /** A delivery that may be damaged is paid for, so it is kept, and marked. */
  doubt?: Doubt;
}

export type ShapeFinder = ReturnType<typeof shapeFinder>;

/** Creates a finder that sees the pieces of a body as they arrive. The declared type decides; if it says nothing of the format, the content does. */
export function shapeFinder(contentType = '') {
  const declared = declaredFormat(contentType);
  let first: number | undefined;
  let head: Buffer[] = [];
  let bytes = 0;
  return {
    see(piece: Buffer): void {
      bytes += piece.length;
      if (bytes <= longestNotification) head.push(piece);
      else head = [];
      first ??= firstVisible(piece);
    },
    shape(): Shape {
      if (declared === 'csv') return { kind: 'rows', extension: 'csv' };
      if (declared === 'ndjson') return { kind: 'rows', extension: 'ndjson' };
      if (first === byte.open) return { kind: 'rows', extension: 'json' };
      if (first === byte.openBrace) return shapeOfObjects(Buffer.concat(head).toString());
      return { kind: 'other', extension: 'data', ...(declared === 'json' ? { doubt: 'not-json' } : {}) };
    },
  };
}

/** Returns undefined for types that say nothing of the format, such as `text/plain`. */
function declaredFormat(contentType: string): 'json' | 'ndjson' | 'csv' | undefined {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (/[/+.-](nd-?json|json-?l|json-?lines|json-seq)$/.test(type)) return 'ndjson';
  if (/[/+.-]json$/.test(type)) return 'json';
  return /[/+.-]csv$/.test(type) ? 'csv' : undefined;
}

const longestNotification = 64 * 1024;

const byte = { space: 0x20, open: 0x5b, openBrace: 0x7b };

/** Skips spaces, and the bytes of a byte order mark. */
function firstVisible(piece: Buffer): number | undefined {
  return piece.find((each) => each > byte.space && !byteOrderMark.includes(each));
}

const byteOrderMark = Buffer.of(0xef, 0xbb, 0xbf);

/** A notification is one small object, whose fields the specification does not show. NDJSON has one object per line. */
function shapeOfObjects(text: string): Shape {
  const value = parsedJson(withoutMark(text));
  if (!isMapValue(value)) return { kind: 'rows', extension: 'ndjson' };
  const ids = [value.collection_id, value.snapshot_id, value.id].filter((id) => typeof id === 'string');
  const run = ids.find((id) => id !== '');
  return { kind: 'notification', extension: 'notification.json', ...(run === undefined ? {} : { run }) };
}
