/** Comparison of secrets, in a time that tells nothing of them. */
import { createHash, timingSafeEqual } from 'node:crypto';

export function isSame(given: string, secret: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(secret));
}

/** Of one length, whatever the text. */
export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
