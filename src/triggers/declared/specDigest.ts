/** Compares, stores and shows specs without their secrets. */
import { createHash } from 'node:crypto';
import { isMapValue, withSortedKeys } from '../../base/values/plain.ts';
import type { SealedSecret, Shown } from '../api/records.ts';
import { isSealed, mapLiterals, mapSealed, sameSecret, sealedHash } from '../secrets/secrets.ts';

/** Returns a digest that is equal for a declared spec and its registered form, and does not depend on the secrets. */
export function specDigest(spec: unknown): string {
  const open = mapLiterals(plainOf(spec), () => secretWord);
  const text = JSON.stringify(withSortedKeys(mapSealed(open, () => secretWord)));
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

export const secretWord = '(secret)';
export const anotherSecret = '(another secret)';

/** Returns the spec with salted hashes in place of literal secrets, for files. */
export function sealedSpec<Spec>(spec: Spec): Shown<Spec> {
  return mapLiterals(plainOf(spec), sealedHash) as Shown<Spec>;
}

/** Returns whether the spec contains a sealed secret, whose value is not known. */
export function holdsSealed(spec: unknown): boolean {
  let found = false;
  mapSealed(spec, () => {
    found = true;
  });
  return found;
}

/** Replaces the secrets of two specs by words; equal secrets get equal words. */
export function comparableSpecs(declared: unknown, sealed: unknown): { declared: unknown; sealed: unknown } {
  const literals = mapLiterals(plainOf(declared), (text) => new Literal(text));
  return { declared: inWords(literals, sealed), sealed: mapSealed(sealed, () => secretWord) };
}

/** Wraps a secret during a comparison, so that nothing prints it by mistake. */
class Literal {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  is(other: SealedSecret): boolean {
    return sameSecret(this.#text, other);
  }
}

function inWords(value: unknown, other: unknown): unknown {
  if (value instanceof Literal) {
    if (!isSealed(other)) return secretWord;
    return value.is(other) ? secretWord : anotherSecret;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => inWords(item, Array.isArray(other) ? other[index] : undefined));
  }
  if (!isMapValue(value)) return value;
  const others = isMapValue(other) ? other : {};
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      inWords(field, Object.hasOwn(others, name) ? others[name] : undefined),
    ]),
  );
}

/** Drops undefined values, as a round trip through the registry does. */
function plainOf(spec: unknown): unknown {
  return spec === undefined ? undefined : JSON.parse(JSON.stringify(spec));
}
