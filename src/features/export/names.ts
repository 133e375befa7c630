/** Makes names of lower-case letters, digits and dashes: stable across exports, and unique. */
import { createHash } from 'node:crypto';

/** Kubernetes appends eleven characters to the name of a CronJob, and allows 63 in all. */
const LONGEST = 52;
const HASH_LENGTH = 8;

/** `nth` counts the entries of one schedule. Adds part of a hash if the name alone would not be unique. */
export function labelFor(owner: string, name: string, nth = 0): string {
  const plain = `webdata-${owner}-${name}`;
  const isItsOwn = /^[a-z0-9]+$/.test(owner) && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name) && !endsInHash.test(name);
  if (isItsOwn && nth === 0 && plain.length <= LONGEST) return plain;
  const hash = createHash('sha256')
    .update(JSON.stringify([owner, name, nth]))
    .digest('hex')
    .slice(0, HASH_LENGTH);
  const readable = plain
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST - HASH_LENGTH - 1)
    .replace(/-$/, '');
  return `${readable}-${hash}`;
}

const endsInHash = new RegExp(`-[0-9a-f]{${HASH_LENGTH}}$`);
