/** Keeps keys and passwords out of what the emulator shows. */

const secretName = /passw|token|secret|credential|authorization|api_?key/i;

/** Shorter secrets are only redacted by the name that they stand under: they would hit innocent text. */
const shortestFound = 8;

const redacted = '[redacted]';

/** A copy in which the values of secret-sounding keys, and the secrets themselves wherever they stand, are replaced. */
export function redact(value: unknown, secrets: readonly string[]): unknown {
  return copied(
    value,
    secrets.filter(({ length }) => length >= shortestFound),
  );
}

function copied(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return secrets.reduce((text, secret) => text.replaceAll(secret, redacted), value);
  if (Array.isArray(value)) return value.map((item) => copied(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      typeof item === 'string' && secretName.test(key) ? redacted : copied(item, secrets),
    ]),
  );
}
