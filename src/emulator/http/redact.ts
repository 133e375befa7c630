/** Keeps keys and passwords out of what the emulator shows. */

const secretName = /passw|token|secret|credential|authorization|api_?key/i;

/** Shorter secrets are only redacted by the name that they stand under: they would hit innocent text. */
const shortestFound = 8;

/** Whatever stands below such a key is secret: the fields of credentials carry the names of their provider. */
const secretObject = /credential/i;

const redacted = '[redacted]';

/** What an account keeps secret: values, and keys that need not sound secret. */
export interface Secrets {
  values: readonly string[];
  keys: readonly string[];
}

/** A copy in which the values of secret keys, and the secrets themselves wherever they stand, are replaced. */
export function redact(value: unknown, { values, keys }: Secrets): unknown {
  return copied(value, { hide: hiderOf(values), keys });
}

interface Hidden {
  hide: (text: string) => string;
  keys: readonly string[];
}

/** As they hardly ever change from one request to the next, and an account with thousands of zones has thousands of passwords. */
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

/** Up to here, texts of many megabytes are sooner looked through for each of them. */
const few = 32;

const oneByOne = (values: readonly string[]) => (text: string) =>
  values.reduce((rest, secret) => rest.replaceAll(secret, redacted), text);

/** Each place of a text is looked up by what begins there, so that it does not matter how many secrets there are. */
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

/** A text may be JSON, as that of a query parameter. */
function copiedText(text: string, secrets: Hidden): string {
  const shown = secrets.hide(text);
  if (!shown.startsWith('{')) return shown;
  try {
    return JSON.stringify(copied(JSON.parse(shown), secrets));
  } catch {
    return shown;
  }
}
