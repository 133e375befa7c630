/** Secrets that a caller sends, held against the ones that are known. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** In a time that depends on neither text, so that no one can find the secret byte by byte. */
export function sameText(given: string, expected: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(expected));
}

/** Of one length, whatever the text. */
export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
