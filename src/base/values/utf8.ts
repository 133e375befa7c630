/** Strict decoding of text: bytes that are not UTF-8 are a fault, and never replaced. */
import { isUtf8 } from 'node:buffer';

/** Decodes the bytes, or returns the first line that is not UTF-8, counted from 1. A byte order mark stays, as U+FEFF. */
export function decodeUtf8(bytes: Uint8Array): { text: string } | { wrongLine: number } {
  if (isUtf8(bytes)) return { text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8') };
  let [line, start] = [1, 0];
  for (let end = bytes.indexOf(lineFeed); end >= 0 && isUtf8(bytes.subarray(start, end)); line += 1) {
    start = end + 1;
    end = bytes.indexOf(lineFeed, start);
  }
  return { wrongLine: line };
}

const lineFeed = 0x0a;

/** Returns text without the byte order mark that some editors and shells write. */
export function withoutMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

export const byteOrderMark = '\uFEFF';
