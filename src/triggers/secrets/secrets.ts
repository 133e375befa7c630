/**
 * Protects literal secrets in the ledger: encrypts them with AES-256-GCM under a key that the ledger does not contain, and shows them as
 * salted hashes, with which users who know a value can verify it.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { sameText } from '../../base/http/secret.ts';
import { isMapValue } from '../../base/values/plain.ts';
import { isSecretName } from '../../base/values/secretName.ts';
import { redactor } from '../../client/redact.ts';
import type { SealedSecret, Shown } from '../api/records.ts';

/** A literal secret in the store. */
interface StoredSecret {
  sealed: SealedSecret['sealed'] & { key: string; box: string };
}

export interface Sealer {
  /** False without a key. */
  hasKey: boolean;
  /** Returns the spec for the store. @throws ProblemError if it contains a literal secret and no key is set */
  seal(spec: unknown): unknown;
  /** Returns the original of a sealed spec. @throws ProblemError if its key is missing */
  open(stored: unknown): unknown;
  /** Encrypts sealed secrets again with the first key. */
  reseal(stored: unknown): unknown;
}

/** Seals with the first key and opens with all of them, so that a key can be replaced. A key is 32 bytes, in base64 or hexadecimal. */
export function createSealer(keys: readonly string[]): Sealer {
  const ring = keys.map(parseKey);
  const [first] = ring;

  function sealText(text: string): StoredSecret {
    if (first === undefined) throw new ProblemError([noEncryptionKey]);
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', first.bytes, iv);
    const box = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return { sealed: { key: first.id, ...sealedHash(text).sealed, box: box.toString('base64url') } };
  }

  function openText({ sealed: { key, box } }: StoredSecret): string {
    const known = ring.find(({ id }) => id === key);
    if (known === undefined) {
      const found = `a secret is encrypted with key ${key}, which is missing`;
      const fix = 'start the trigger service with that key too, after the new one (WEBDATA_TRIGGERS_KEY=new,old)';
      throw new ProblemError([{ code: 'other-encryption-key', found, fix }]);
    }
    const bytes = Buffer.from(box, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', known.bytes, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8');
  }

  const open = (stored: unknown): unknown => mapSealed(stored, (secret) => openText(secret as StoredSecret));
  return {
    hasKey: first !== undefined,
    seal: (spec) => mapLiterals(spec, sealText),
    open,
    reseal: (stored) => mapSealed(stored, (secret) => sealText(openText(secret as StoredSecret))),
  };
}

/** Returns a stored spec with salted hashes in place of its secrets. */
export function hideSecrets<Spec>(stored: unknown): Shown<Spec> {
  return mapSealed(stored, ({ sealed: { salt, hash } }) => ({ sealed: { salt, hash } })) as Shown<Spec>;
}

/** Returns the salted hash of a literal secret. */
export function sealedHash(text: string): SealedSecret {
  const salt = randomBytes(16);
  return { sealed: { salt: salt.toString('base64url'), hash: hashOf(text, salt) } };
}

/** Returns whether a value is the secret behind a salted hash. */
export function sameSecret(value: string, { sealed: { salt, hash } }: SealedSecret): boolean {
  return sameText(hashOf(value, Buffer.from(salt, 'base64url')), hash);
}

/** Returns whether a text must be sealed: because its field is named like a secret, or because it is a URL with a token. */
function isLiteralSecret(name: string, text: string): boolean {
  return isSecretName(name) || redactor()(text) !== text;
}

export function isSealed(value: unknown): value is SealedSecret {
  return isMapValue(value) && isMapValue(value.sealed) && typeof value.sealed.hash === 'string';
}

function hashOf(text: string, salt: Buffer): string {
  return createHmac('sha256', salt).update(text).digest('base64url');
}

/** Returns all literal secrets of a spec, so that texts can be redacted. */
export function literalSecretsIn(spec: unknown): string[] {
  const found: string[] = [];
  mapLiterals(spec, (text) => found.push(text));
  return found;
}

/**
 * Returns a copy with every literal secret replaced. References such as `{env}` are not secrets themselves. Inputs are data: no field name
 * makes them secret.
 */
export function mapLiterals(value: unknown, seal: (text: string) => unknown, name = '', inSecret = false): unknown {
  if (typeof value === 'string') return inSecret || isLiteralSecret(name, value) ? seal(value) : value;
  if (Array.isArray(value)) return value.map((item) => mapLiterals(item, seal, name, inSecret));
  if (!isMapValue(value) || isReference(value)) return value;
  const entries = Object.entries(value).map(([key, field]) => [
    key,
    key === 'inputs' || key === 'inputSchema' ? field : mapLiterals(field, seal, key, inSecret || isSecretName(key)),
  ]);
  return Object.fromEntries(entries);
}

/**
 * Returns a copy with every sealed secret replaced. Inputs are data: a value in them that looks like a sealed secret is left alone. A plan file may
 * hold all inputs as one sealed secret.
 */
export function mapSealed(
  value: unknown,
  each: (secret: SealedSecret, path: readonly string[]) => unknown,
  path: readonly string[] = [],
): unknown {
  if (Array.isArray(value)) return value.map((item, index) => mapSealed(item, each, [...path, String(index)]));
  if (!isMapValue(value)) return value;
  if (isSealed(value)) return each(value, path);
  const entries = Object.entries(value).map(([key, field]) => [
    key,
    key === 'inputs' && !isSealed(field) ? field : mapSealed(field, each, [...path, key]),
  ]);
  return Object.fromEntries(entries);
}

/** Returns whether a value names a secret that the trigger service looks up when it sends, in its environment or with its secret command. */
export function isReference(value: unknown): value is { env: string } | { secret: string } {
  if (!isMapValue(value)) return false;
  const [[name, text] = ['', undefined], ...others] = Object.entries(value);
  return others.length === 0 && (name === 'env' || name === 'secret') && typeof text === 'string';
}

function parseKey(text: string): { id: string; bytes: Buffer } {
  const bytes = Buffer.from(text.trim(), /^[\da-f]{64}$/i.test(text.trim()) ? 'hex' : 'base64');
  if (bytes.length !== 32) throw new ProblemError([badKey]);
  return { id: createHash('sha256').update('key id').update(bytes).digest('hex').slice(0, 12), bytes };
}

export const noEncryptionKey: Problem = {
  code: 'no-encryption-key',
  found: 'the spec contains a secret, but the trigger service has no key to encrypt it with',
  allowed: 'a reference such as {env: HOOK_AUTHORIZATION}, or a trigger service with a key',
  fix: 'use a reference, or start the trigger service with WEBDATA_TRIGGERS_KEY (openssl rand -base64 32)',
};

const badKey: Problem = {
  code: 'bad-encryption-key',
  found: 'the encryption key is not 32 bytes',
  allowed: '32 bytes, in base64 or hexadecimal',
  fix: 'make one with `openssl rand -base64 32`',
};
