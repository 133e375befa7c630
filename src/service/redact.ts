/**
 * Takes secrets out of any text that leaves the client: URLs, bodies, headers, an error's words. What is secret is known
 * by its name (`password`, `webhook_header_Authorization`, a provider's access key…), through any nesting of JSON and
 * URL encoding, and by its value where the caller knows the secrets.
 */

/** What stands where a secret was. Survives URL and JSON encoding as it is. */
export const hidden = '***';

export type Redact = (text: string) => string;

/** A redactor for these known values and for everything whose name says that it is secret. Pure; returns unchanged text as it is. */
export function redactor(secrets: readonly string[] = []): Redact {
  const hideKnown = knownValues(secrets);
  // Known values go first: what is found by name might be a part of one, and leave the rest of it to be seen.
  const redact: Redact = (text) => {
    const rest = hideKnown(text);
    return hideNamedInJson(rest, redact) ?? hideNamedInText(rest, redact);
  };
  return redact;
}

/** Whether a field, header or parameter of this name holds a secret, in any spelling (`api_key`, `X-Api-Key`, `apiKey`). */
export function isSecretName(name: string): boolean {
  return secretName.test(name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
}

const secretName =
  /authorization|passw(or)?d|passphrase|pwd$|tokens?$|secret|apikey|accesskey|accountkey|privatekey|connectionstring|credential|signature|cookie|^webhookheader/;

/** Names too short to be secret anywhere but in a query string. */
const secretParameter = /^(key|sig|auth|sas)$/i;

/** Deeper than any honest body: what lies below is hidden rather than looked at. */
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

/** Text around and between names: a URL, a query string, a header line, JSON that was cut off. */
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

// Each of these looks at a character a fixed number of times, however long the text is.
const userInfo = /(:\/\/)[^/?#\s"]*@/g;
const headerLine =
  /(?<![\w-])((?:[\w-]*authorization|(?:set-)?cookie|x-api-key)\s*:\s*)(?:(?:bearer|basic)\s+)?[^\s"',;]+/gi;
/** What follows these words is a credential, unless it looks like an ordinary word. */
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

/** Percent-decodes what can be decoded and leaves the rest, where `decodeURIComponent` would give up. */
function decoded(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

function knownValues(secrets: readonly string[]): Redact {
  const forms = new Set(secrets.filter((secret) => secret.length >= shortestSecret).flatMap(formsOf));
  if (forms.size === 0) return (text) => text;
  // The longest first: one secret may begin with another.
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map(escapedForRegExp).join('|'), 'g');
  return (text) => text.replaceAll(pattern, hidden);
}

/** Shorter values are parts of ordinary words, which would become unreadable. Their names still hide them. */
const shortestSecret = 4;

/** How a secret looks in a URL, in a form, in JSON, in hexadecimal, and inside base64 (of `user:secret`, for example). */
function formsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  const lowerHex = encoded.replaceAll(/%[\dA-F]{2}/g, (byte) => byte.toLowerCase());
  const form = new URLSearchParams({ v: secret }).toString().slice(2);
  const json = JSON.stringify(secret).slice(1, -1);
  const hex = Buffer.from(secret).toString('hex');
  return [secret, encoded, lowerHex, form, json, hex, hex.toUpperCase(), ...base64Forms(secret)];
}

/** The characters that a secret alone decides, at each of its three possible offsets in base64 and base64url. */
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

/** Shorter pieces would be found in text that has nothing to do with the secret. */
const shortestBase64 = 6;

function escapedForRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
