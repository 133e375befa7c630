/** Keeps keys and passwords out of what the emulator shows. */

const secretName = /passw|token|secret|credential|authorization|api_?key/i;

/** Shorter secrets are only redacted by the name that they stand under: they would hit innocent text. */
const shortestFound = 8;

/** Whatever stands below such a key is secret: the fields of credentials carry the names of their provider. */
const secretObject = /credential/i;

const redacted = '[redacted]';

/** A copy in which the values of secret-sounding keys, and the secrets themselves wherever they stand, are replaced. */
export function redact(value: unknown, secrets: readonly string[]): unknown {
  return copied(
    value,
    secrets.filter(({ length }) => length >= shortestFound),
  );
}

function copied(value: unknown, secrets: readonly string[], isSecret = false): unknown {
  if (typeof value === 'string') return isSecret ? redacted : copiedText(value, secrets);
  if (Array.isArray(value)) return value.map((item) => copied(item, secrets, isSecret));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const isNamed = typeof item === 'string' ? secretName.test(key) : secretObject.test(key);
      return [key, copied(item, secrets, isSecret || isNamed)];
    }),
  );
}

/** A text may be JSON, as that of a query parameter. */
function copiedText(text: string, secrets: readonly string[]): string {
  const shown = secrets.reduce((rest, secret) => rest.replaceAll(secret, redacted), text);
  if (!shown.startsWith('{')) return shown;
  try {
    return JSON.stringify(copied(JSON.parse(shown), secrets));
  } catch {
    return shown;
  }
}
