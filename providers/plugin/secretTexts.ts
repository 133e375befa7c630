/** Texts that a program marks as secrets. The engine does not hide them in messages and errors. */

import { valueAt } from '../../src/base/values/plain.ts';
import { printableText } from '../../src/base/values/printable.ts';
import { hidden } from '../../src/client/redact.ts';
import { unknownValue } from '../core/unknown.ts';
import type { WireProperties } from './values.ts';

/** Shorter texts occur in ordinary words. */
const shortestSecret = 4;
/** Messages cut long values off, so this much of a text is enough to recognize it. */
const knownStart = 40;

export class SecretTexts {
  readonly #texts = new Set<string>();
  /** The longest first, because one secret may begin with another. */
  #longestFirst: readonly string[] | undefined;

  learn({ values, secrets }: WireProperties): void {
    for (const text of secrets.flatMap((path) => textsIn(valueAt(values, path)))) {
      if (text.length < shortestSecret || text === unknownValue || this.#texts.has(text)) continue;
      for (const form of [text, JSON.stringify(text).slice(1, -1), printableText(text)]) this.#texts.add(form);
      this.#longestFirst = undefined;
    }
  }

  hide(text: string): string {
    this.#longestFirst ??= [...this.#texts].sort((a, b) => b.length - a.length);
    return this.#longestFirst.reduce(withoutSecret, text);
  }
}

/** Hides a secret also where the text has only its start. */
function withoutSecret(text: string, secret: string): string {
  const start = secret.slice(0, knownStart);
  let [shown, rest] = ['', text];
  for (let at = rest.indexOf(start); at >= 0; at = rest.indexOf(start)) {
    let length = start.length;
    while (length < secret.length && rest[at + length] === secret[length]) length++;
    shown += rest.slice(0, at) + hidden;
    rest = rest.slice(at + length);
  }
  return shown + rest;
}

/** Leaves out the keys of maps: zones are named in every message, and one secret IP makes all zones a secret. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
