/** Removes keys and passwords from the emulator's output. */

const secretName = /passw|token|secret|credential|authorization|auth_?header|api_?key/i;

/** Minimum length of a secret that is redacted by value. Shorter values would match unrelated text and are redacted by name only. */
const shortestFound = 8;

/** Names of objects whose contents are secret: the fields of credentials have the names of their provider. */
const secretObject = /credential/i;

const redacted = '[redacted]';

/** Returns a copy in which the values of secret keys, and these secrets wherever they occur, are replaced. */
export function redact(value: unknown, secrets: readonly string[]): unknown {
  const longestFirst = secrets.filter(({ length }) => length >= shortestFound).sort((a, b) => b.length - a.length);
  // Most texts of a request are shorter than a password, and an account with thousands of zones has thousands of passwords.
  const hidden = (text: string, secret: string) =>
    text.length < secret.length ? text : text.replaceAll(secret, redacted);
  return copied(value, (text) => longestFirst.reduce(hidden, text));
}

type Hide = (text: string) => string;

function copied(value: unknown, hide: Hide, isSecret = false): unknown {
  if (typeof value === 'string') return isSecret ? redacted : copiedText(value, hide);
  if (Array.isArray(value)) return value.map((item) => copied(item, hide, isSecret));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const isNamed = (typeof item === 'string' ? secretName : secretObject).test(key);
      return [key, copied(item, hide, isSecret || isNamed)];
    }),
  );
}

/** Redacts a text, which may be JSON, as in a query parameter. */
function copiedText(text: string, hide: Hide): string {
  const shown = hide(text);
  if (!shown.startsWith('{')) return shown;
  try {
    return JSON.stringify(copied(JSON.parse(shown), hide));
  } catch {
    return shown;
  }
}
