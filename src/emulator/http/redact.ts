/** Removes keys and passwords from the emulator's output. */

const secretName = /passw|token|secret|credential|authorization|auth_?header|api_?key/i;

/** Minimum length of a secret that is redacted by value. Shorter values would match unrelated text and are redacted by name only. */
const shortestFound = 8;

/** Names of objects whose contents are secret: the fields of credentials have the names of their provider. */
const secretObject = /credential/i;

const redacted = '[redacted]';

/** Secrets of an account: their values, and names of keys that are secret although their names do not suggest it. */
export interface Secrets {
  values: readonly string[];
  keys: readonly string[];
}

/** Returns a copy in which the values of secret keys, and the secrets wherever they occur, are replaced. */
export function redact(value: unknown, { values, keys }: Secrets): unknown {
  return copied(value, { hide: hiderOf(values), keys });
}

interface Hidden {
  hide: (text: string) => string;
  keys: readonly string[];
}

/** Caches the redactor: secrets rarely change between requests, and an account with thousands of zones has thousands of passwords. */
function hiderOf(values: readonly string[]): Hidden['hide'] {
  const isSame = values.length === known.values.length && values.every((value, index) => value === known.values[index]);
  if (!isSame) known = { values, hide: createHider(values) };
  return known.hide;
}

let known = { values: [] as readonly string[], hide: (text: string) => text };

function createHider(values: readonly string[]): Hidden['hide'] {
  const longestFirst = values.filter(({ length }) => length >= shortestFound).sort((a, b) => b.length - a.length);
  return longestFirst.length <= few ? oneByOne(longestFirst) : byPlace(longestFirst);
}

/** Up to this many secrets, it is faster to search a large text for each of them. */
const few = 32;

const oneByOne = (values: readonly string[]) => (text: string) =>
  values.reduce((rest, secret) => rest.replaceAll(secret, redacted), text);

/** Searches a text once, by the prefixes of all secrets, so that the time does not depend on their number. */
function byPlace(values: readonly string[]): Hidden['hide'] {
  const byHead = Map.groupBy(values, (secret) => secret.slice(0, shortestFound));
  return (text) => {
    let shown = '';
    let from = 0;
    for (let at = 0; at + shortestFound <= text.length; ) {
      const found = byHead.get(text.slice(at, at + shortestFound))?.find((secret) => text.startsWith(secret, at));
      if (found !== undefined) shown += text.slice(from, at) + redacted;
      at += found?.length ?? 1;
      if (found !== undefined) from = at;
    }
    return shown + text.slice(from);
  };
}

function copied(value: unknown, secrets: Hidden, isSecret = false): unknown {
  if (typeof value === 'string') return isSecret ? redacted : copiedText(value, secrets);
  if (Array.isArray(value)) return value.map((item) => copied(item, secrets, isSecret));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const isNamed = typeof item === 'string' ? isSecretKey(key, secrets) : secretObject.test(key);
      return [key, copied(item, secrets, isSecret || isNamed)];
    }),
  );
}

const isSecretKey = (key: string, { keys }: Hidden): boolean => secretName.test(key) || keys.includes(key);

/** Redacts a text, which may be JSON, as in a query parameter. */
function copiedText(text: string, secrets: Hidden): string {
  const shown = secrets.hide(text);
  if (!shown.startsWith('{')) return shown;
  try {
    return JSON.stringify(copied(JSON.parse(shown), secrets));
  } catch {
    return shown;
  }
}
