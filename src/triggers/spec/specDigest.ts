/** A spec without its secrets: as it may be kept in files, shown, and told from another by a short text. */
import { createHash } from 'node:crypto';
import { isMapValue } from '../../values/plain.ts';
import type { SealedSecret } from '../model.ts';
import { isSealed, mapSealed, sameSecret, sealedHash, withoutLiterals } from '../secrets/secrets.ts';

/** The same for a declared spec and for the registered one that was made of it, whatever its secrets are. */
export function specDigest(spec: unknown): string {
  const open = withoutLiterals(plainOf(spec), () => secretWord);
  const text = JSON.stringify(inOrder(mapSealed(open, () => secretWord)));
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

const secretWord = '(secret)';

/** As a file may keep it: each literal secret as a salted hash. */
export function sealedSpec(spec: unknown): unknown {
  return withoutLiterals(plainOf(spec), sealedHash);
}

/** Whether there is a secret in it that can't be told from it any more. */
export function holdsSealed(spec: unknown): boolean {
  let found = false;
  mapSealed(spec, () => {
    found = true;
  });
  return found;
}

/** Two specs with words for their secrets: the same words where these are the same. */
export function comparableSpecs(declared: unknown, sealed: unknown): { declared: unknown; sealed: unknown } {
  const literals = withoutLiterals(plainOf(declared), (text) => new Literal(text));
  return { declared: inWords(literals, sealed), sealed: mapSealed(sealed, () => secretWord) };
}

/** A secret on its way through a comparison: nothing prints it by mistake. */
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
    return value.is(other) ? secretWord : '(another secret)';
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

/** As it would come back from a registry: without what is undefined. */
function plainOf(spec: unknown): unknown {
  return spec === undefined ? undefined : JSON.parse(JSON.stringify(spec));
}

/** The same for maps whose entries stand in another order, however deep. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isMapValue(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name])]));
}
