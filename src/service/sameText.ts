/** Comparison of secrets. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** In a time that depends on neither text, so that no one can find the secret byte by byte: compares digests, which are of one length. */
export function sameText(given: string, expected: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(expected));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
