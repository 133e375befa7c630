/** Comparison of secrets that a client sends. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares in a time that does not depend on the texts, so that a client cannot guess the secret byte by byte. */
export function sameText(given: string, expected: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(expected));
}

/** Returns a hash, which has the same length for every text. */
export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
