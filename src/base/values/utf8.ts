/** Strict decoding of text: bytes that are not UTF-8 are a fault, and never replaced. */
import { isUtf8 } from 'node:buffer';

/** Why bytes are not text in UTF-8. */
export interface EncodingFault {
  /** The fault, as a phrase that can follow a location. */
  found: string;
  /** The encoding that the bytes seem to have, as `iconv` and `TextDecoder` name it. Undefined if there is no likely one. */
  encoding?: string;
  /** Both counted from 1. */
  line: number;
  column: number;
}

/** Decodes the bytes. A byte order mark of UTF-8 stays, as U+FEFF. */
export function decodeUtf8(bytes: Uint8Array): { text: string } | { fault: EncodingFault } {
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return { fault: { ...wide, line: 1, column: 1 } };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return isUtf8(bytes) ? { text } : { fault: faultIn(bytes, text) };
}

/** Returns text without the byte order mark that some editors and shells write. */
export function withoutMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

export const byteOrderMark = '\uFEFF';

/** The marks of other encodings. Those of UTF-32 come first: UTF-16 begins alike. */
const marks = [
  ['UTF-32LE', [0xff, 0xfe, 0, 0]],
  ['UTF-32BE', [0, 0, 0xfe, 0xff]],
  ['UTF-16LE', [0xff, 0xfe]],
  ['UTF-16BE', [0xfe, 0xff]],
] as const;

/** Recognizes encodings of several bytes for each letter, by their mark or by their zeros. */
function wideEncoding(bytes: Uint8Array): Pick<EncodingFault, 'found' | 'encoding'> | undefined {
  const marked = marks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  const encoding = marked?.[0] ?? encodingByZeros(bytes.subarray(0, sampledBytes));
  return encoding === undefined ? undefined : { found: `the text is in ${encoding}, not in UTF-8`, encoding };
}

const sampledBytes = 4096;

/** In UTF-16, every second byte of a text in Latin letters is zero. */
function encodingByZeros(sample: Uint8Array): string | undefined {
  if (!sample.includes(0)) return undefined;
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const many = sample.length / 4;
  if (odd >= many && even === 0) return 'UTF-16LE';
  return even >= many && odd === 0 ? 'UTF-16BE' : undefined;
}

/** `lossy` is the text with U+FFFD in place of each fault. */
function faultIn(bytes: Uint8Array, lossy: string): EncodingFault {
  let [at, offset] = [0, 0];
  for (let next = lossy.indexOf('\uFFFD'); next >= 0; next = lossy.indexOf('\uFFFD', at)) {
    offset += Buffer.byteLength(lossy.slice(at, next));
    at = next;
    // The character itself may be in the text.
    if (bytes[offset] !== 0xef || bytes[offset + 1] !== 0xbf || bytes[offset + 2] !== 0xbd) break;
    at += 1;
    offset += 3;
  }
  const before = lossy.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  const place = { line: before.split('\n').length, column: before.length - lineStart + 1 };
  const byte = bytes.subarray(offset, offset + 1);
  const shown = `0x${byte[0]?.toString(16).toUpperCase()}`;
  const letter = new TextDecoder('windows-1252').decode(byte);
  if (!/[\p{L}\p{P}\p{S}]/u.test(letter)) return { found: `the byte ${shown} is not text in UTF-8`, ...place };
  const found = `the byte ${shown} is not text in UTF-8; in Windows-1252 and Latin-1 it would be "${letter}"`;
  return { found, encoding: 'WINDOWS-1252', ...place };
}
