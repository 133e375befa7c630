/**
 * Removes secrets from any text that leaves the client: URLs, bodies, headers, error messages. Secrets are recognised by name
 * (`password`, `webhook_header_Authorization`, a provider's access key…) through any nesting of JSON and URL encoding, and by value if
 * the caller knows them.
 */
import { isSecretName } from '../base/values/secretName.ts';

/** Replacement for a secret. URL and JSON encoding leave it unchanged. */
export const hidden = '***';

export type Redact = (text: string) => string;

/** Returns a redactor for known values and for values with secret names. Pure; text without secrets is returned unchanged. */
export function redactor(secrets: readonly string[] = []): Redact {
  const hideKnown = hideValues(secrets);
  // Redacts known values first, because redaction by name may remove only a part of such a value and leave the rest visible.
  const redact: Redact = (text) => {
    const rest = hideKnown(text);
    return hideNamedInJson(rest, redact) ?? hideNamedInText(rest, redact);
  };
  return redact;
}

/** Short names that are secret only in a query string. */
const secretParameter = /^(key|sig|auth|sas)$/i;

/** Maximum depth that is searched. Anything deeper is hidden. */
const maxDepth = 100;

function hideNamedInJson(text: string, redact: Redact): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const before = JSON.stringify(value);
    const after = JSON.stringify(hideNamedInValue(value, redact, false, 0));
    return before === after ? text : after;
  } catch {
    return undefined;
  }
}

function hideNamedInValue(value: unknown, redact: Redact, secret: boolean, depth: number): unknown {
  if (depth > maxDepth) return hidden;
  if (typeof value === 'string') return secret ? hidden : redact(value);
  if (typeof value === 'number') return secret ? hidden : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => hideNamedInValue(item, redact, secret, depth + 1));
  const entries = Object.entries(value).map(([name, field]) => [
    redact(name),
    hideNamedInValue(field, redact, secret || isSecretName(name), depth + 1),
  ]);
  return Object.fromEntries(entries);
}

/** Hides named secrets in a URL, a query string, a header line or truncated JSON. */
function hideNamedInText(text: string, redact: Redact): string {
  return text
    .replaceAll(userInfo, `$1${hidden}@`)
    .replaceAll(headerLine, `$1${hidden}`)
    .replaceAll(bearer, `$1 ${hidden}`)
    .replaceAll(jsonPair, (pair, name: string, colon: string) =>
      isSecretName(name) ? `"${name}"${colon}"${hidden}"` : pair,
    )
    .replaceAll(queryPair, (pair, name: string, value: string | undefined) =>
      value !== undefined && isSecretParameter(decoded(name)) ? `${name}=${hidden}` : pair,
    )
    .replaceAll(word, (encoded) => (encoded.includes('%') ? hideInEncoded(encoded, redact) : encoded));
}

// Each of these expressions takes linear time.
const userInfo = /(:\/\/)[^/?#\s"]*@/g;
const headerLine =
  /(?<![\w-])((?:[\w-]*authorization|(?:set-)?cookie|x-api-key)\s*:\s*)(?:(?:bearer|basic)\s+)?[^\s"',;]+/gi;
/** Credentials after these words, unless they look like an ordinary word. */
const bearer = /\b(bearer|basic)\s+(?=[^\s"',;&]*[\d=_~+/-]|[^\s"',;&]{16})[^\s"',;&]+/gi;
const jsonPair = /"((?:[^"\\]|\\.)+)"([\s+]*:[\s+]*)"(?:[^"\\]|\\.)+("|$)/g;
const queryPair = /([^\s?&=#"'<>;,]+)(=[^\s&#"<>]+)?/g;
const word = /[^\s&=#"<>]+/g;

function isSecretParameter(name: string): boolean {
  return isSecretName(name) || secretParameter.test(name);
}

function hideInEncoded(encoded: string, redact: Redact): string {
  const plain = decoded(encoded);
  if (plain.length === encoded.length) return encoded;
  const redacted = redact(plain);
  return redacted === plain ? encoded : encodeURIComponent(redacted);
}

/** Percent-decodes as much as possible, where `decodeURIComponent` would throw. */
function decoded(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

/** Returns a function that hides these values, and nothing else. */
export function hideValues(secrets: readonly string[]): Redact {
  const forms = new Set(secrets.filter((secret) => secret.length >= shortestSecret).flatMap(formsOf));
  if (forms.size === 0) return (text) => text;
  // The longest first, because one secret may begin with another.
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map(escapedForRegExp).join('|'), 'g');
  return (text) => text.replaceAll(pattern, hidden);
}

/** Minimum length of a value that is hidden everywhere. Shorter ones occur in ordinary words; their names still hide them. */
const shortestSecret = 4;

/** Returns the forms of a secret in a URL, a form, JSON, hexadecimal, and base64 (of `user:secret`, for example). */
function formsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  const lowerHex = encoded.replaceAll(/%[\dA-F]{2}/g, (byte) => byte.toLowerCase());
  const form = new URLSearchParams({ v: secret }).toString().slice(2);
  const json = JSON.stringify(secret).slice(1, -1);
  const hex = Buffer.from(secret).toString('hex');
  return [secret, encoded, lowerHex, form, json, hex, hex.toUpperCase(), ...base64Forms(secret)];
}

/** Returns the characters that depend on the secret alone, at each of its three possible offsets in base64 and base64url. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const aligned = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const whole = Math.floor(((offset + bytes.length) * 8) / 6);
    return text.slice(Math.ceil((offset * 8) / 6), whole);
  });
  const long = aligned.filter((form) => form.length >= shortestBase64);
  return [...long, ...long.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))];
}

/** Minimum length of a base64 form. Shorter ones would match unrelated text. */
const shortestBase64 = 6;

function escapedForRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
