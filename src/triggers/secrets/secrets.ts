/**
 * Literal secrets in the ledger: encrypted with AES-256-GCM under a key that the ledger does not hold, and shown as a salted
 * hash, by which whoever knows a value can tell whether it is this one.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { type Problem, ProblemError } from '../../diagnostics/problem.ts';
import { sameText } from '../../http/secret.ts';
import { isSecretName, redactor } from '../../service/redact.ts';
import { isMapValue } from '../../values/plain.ts';
import type { SealedSecret, Shown } from '../model.ts';

/** A literal secret as it is stored. */
interface StoredSecret {
  sealed: SealedSecret['sealed'] & { key: string; box: string };
}

export interface Sealer {
  /** The spec as it is stored. @throws ProblemError where it holds a literal secret and there is no key. */
  seal(spec: unknown): unknown;
  /** What was sealed. @throws ProblemError where the key is another one. */
  open(stored: unknown): unknown;
  /** Sealed anew under the first key; the same where nothing is sealed. */
  reseal(stored: unknown): unknown;
}

/** The first key seals, all of them open: that is how a key is replaced. A key is 32 bytes, in base64 or hexadecimal. */
export function createSealer(keys: readonly string[]): Sealer {
  const ring = keys.map(keyOf);
  const [first] = ring;

  function sealText(text: string): StoredSecret {
    if (first === undefined) throw new ProblemError([noKey]);
    const [iv, salt] = [randomBytes(12), randomBytes(16)];
    const cipher = createCipheriv('aes-256-gcm', first.bytes, iv);
    const box = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return {
      sealed: {
        key: first.id,
        salt: salt.toString('base64url'),
        hash: hashOf(text, salt),
        box: box.toString('base64url'),
      },
    };
  }

  function openText({ sealed: { key, box } }: StoredSecret): string {
    const known = ring.find(({ id }) => id === key);
    if (known === undefined) throw new ProblemError([otherKey(key)]);
    const bytes = Buffer.from(box, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', known.bytes, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8');
  }

  const open = (stored: unknown): unknown => mapSealed(stored, (secret) => openText(secret as StoredSecret));
  return {
    seal: (spec) => mapLiterals(spec, sealText),
    open,
    reseal: (stored) => mapSealed(stored, (secret) => sealText(openText(secret as StoredSecret))),
  };
}

/** A stored spec for those who may not see its secrets. */
export function shown<Spec>(stored: unknown): Shown<Spec> {
  return mapSealed(stored, ({ sealed: { salt, hash } }) => ({ sealed: { salt, hash } })) as Shown<Spec>;
}

/** A literal as it is shown to those who may not see it. */
export function sealedHash(text: string): SealedSecret {
  const salt = randomBytes(16);
  return { sealed: { salt: salt.toString('base64url'), hash: hashOf(text, salt) } };
}

/** Whether a sealed literal is this one. */
export function sameSecret(value: string, { sealed: { salt, hash } }: SealedSecret): boolean {
  return sameText(hashOf(value, Buffer.from(salt, 'base64url')), hash);
}

/** Whether this text, under this name, is a secret that must be sealed: by its name, or a URL with a token in it. */
export function isLiteralSecret(name: string, text: string): boolean {
  return isSecretName(name) || redactor()(text) !== text;
}

export function isSealed(value: unknown): value is SealedSecret {
  return isMapValue(value) && isMapValue(value.sealed) && typeof value.sealed.hash === 'string';
}

function hashOf(text: string, salt: Buffer): string {
  return createHmac('sha256', salt).update(text).digest('base64url');
}

/** A copy in which every literal secret is replaced. */
export function withoutLiterals(spec: unknown, replace: (text: string) => unknown): unknown {
  return mapLiterals(spec, replace);
}

/** The literal secrets in a spec: what no text may show. */
export function literalSecretsIn(spec: unknown): string[] {
  const found: string[] = [];
  mapLiterals(spec, (text) => found.push(text));
  return found;
}

/** `{env}` and `{secret}` are references, not secrets, also under a secret's name. Inputs are data: no name makes them secret. */
function mapLiterals(value: unknown, seal: (text: string) => unknown, name = '', inSecret = false): unknown {
  if (typeof value === 'string') return inSecret || isLiteralSecret(name, value) ? seal(value) : value;
  if (Array.isArray(value)) return value.map((item) => mapLiterals(item, seal, name, inSecret));
  if (!isMapValue(value) || isReference(value)) return value;
  const entries = Object.entries(value).map(([key, field]) => [
    key,
    key === 'inputs' || key === 'inputSchema' ? field : mapLiterals(field, seal, key, inSecret || isSecretName(key)),
  ]);
  return Object.fromEntries(entries);
}

/** A copy in which every sealed secret is replaced. Inputs are data: what looks like a sealed secret in them is none. */
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
    key === 'inputs' ? field : mapSealed(field, each, [...path, key]),
  ]);
  return Object.fromEntries(entries);
}

/** A name that the trigger service looks up when it sends, in its environment or by its secret command. */
export function isReference(value: unknown): value is { env: string } | { secret: string } {
  if (!isMapValue(value)) return false;
  const [[name, text] = ['', undefined], ...others] = Object.entries(value);
  return others.length === 0 && (name === 'env' || name === 'secret') && typeof text === 'string';
}

/** Whether a spec names a secret that the secret command has to print. */
export function namesCommandSecret(value: unknown): boolean {
  if (isReference(value)) return 'secret' in value;
  return typeof value === 'object' && value !== null && Object.values(value).some(namesCommandSecret);
}

function keyOf(text: string): { id: string; bytes: Buffer } {
  const bytes = Buffer.from(text.trim(), /^[\da-f]{64}$/i.test(text.trim()) ? 'hex' : 'base64');
  if (bytes.length !== 32) throw new ProblemError([badKey]);
  return { id: createHash('sha256').update('key id').update(bytes).digest('hex').slice(0, 12), bytes };
}

const noKey: Problem = {
  code: 'no-encryption-key',
  found: 'a secret is written out, and there is no key to encrypt it with',
  allowed: 'a reference such as {env: HOOK_AUTHORIZATION}, or a trigger service with a key',
  fix: 'write a reference, or start the trigger service with WEBDATA_TRIGGERS_KEY (openssl rand -base64 32)',
};

const badKey: Problem = {
  code: 'bad-encryption-key',
  found: 'the encryption key is not 32 bytes',
  allowed: '32 bytes, in base64 or hexadecimal',
  fix: 'make one with `openssl rand -base64 32`',
};

function otherKey(id: string): Problem {
  return {
    code: 'other-encryption-key',
    found: `a secret is encrypted with the key ${id}, which was not given`,
    fix: 'start the trigger service with that key too, after the new one (WEBDATA_TRIGGERS_KEY=new,old)',
  };
}
