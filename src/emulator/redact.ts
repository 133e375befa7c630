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
  return copied(value, { values: values.filter(({ length }) => length >= shortestFound), keys });
}

function copied(value: unknown, secrets: Secrets, isSecret = false): unknown {
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

const isSecretKey = (key: string, { keys }: Secrets): boolean => secretName.test(key) || keys.includes(key);

/** A text may be JSON, as that of a query parameter. */
function copiedText(text: string, secrets: Secrets): string {
  const shown = secrets.values.reduce((rest, secret) => rest.replaceAll(secret, redacted), text);
  if (!shown.startsWith('{')) return shown;
  try {
    return JSON.stringify(copied(JSON.parse(shown), secrets));
  } catch {
    return shown;
  }
}
