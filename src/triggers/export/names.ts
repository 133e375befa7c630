/** Names for what holds only lower-case letters, digits and dashes: the same on every export, and never the same for two. */
import { createHash } from 'node:crypto';

/** Kubernetes adds eleven characters to a CronJob's name, and takes 63 in all. */
const LONGEST = 52;
const HASH_LENGTH = 8;

/** `nth` counts what one schedule comes to. Where the name alone would not do, a part of its hash makes it one of its own. */
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
