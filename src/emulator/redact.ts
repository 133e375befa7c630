/** Keeps keys and passwords out of what the emulator shows. */

const secretName = /passw|token|secret|credential|authorization|api_?key/i;

/** Shorter secrets are only redacted by the name that they stand under: they would hit innocent text. */
const shortestFound = 8;

const redacted = '[redacted]';

export const isSecretName = (name: string): boolean => secretName.test(name);

/** A copy in which the values of secret-sounding keys, and the secrets themselves wherever they stand, are replaced. */
export function redact(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return withoutSecrets(value, secrets);
  if (Array.isArray(value)) return value.map((item) => redact(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      typeof item === 'string' && isSecretName(key) ? redacted : redact(item, secrets),
    ]),
  );
}

function withoutSecrets(value: string, secrets: readonly string[]): string {
  const findable = secrets.filter(({ length }) => length >= shortestFound);
  return findable.reduce((text, secret) => text.replaceAll(secret, redacted), value);
}
