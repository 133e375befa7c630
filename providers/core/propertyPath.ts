/** Paths of properties in the syntax of the engine: `zones.checkout.ips[0]`, `zones["a.b"]`. */

const SIMPLE_KEY = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

export function propertyPath(path: readonly PropertyKey[]): string {
  return writablePath(path).reduce<string>((text, key) => text + step(key, text === ''), '');
}

/**
 * Returns the path up to a key that cannot be written. Within quotes, the engine knows one escape: `\"`. A key in which a backslash comes before a
 * quote, or at the end, is written without quotes, and then must not have a dot or a bracket. Otherwise the path ends before it, at the property
 * that contains the difference.
 */
export function writablePath(path: readonly PropertyKey[]): readonly PropertyKey[] {
  const end = path.findIndex((key) => isMisreadInQuotes(String(key)) && /[.[]/.test(String(key)));
  return end === -1 ? path : path.slice(0, end);
}

function isMisreadInQuotes(key: string): boolean {
  return /\\(?:"|$)/.test(key);
}

function step(key: PropertyKey, isFirst: boolean): string {
  if (typeof key === 'number') return `[${key}]`;
  const name = String(key);
  if (!SIMPLE_KEY.test(name) && !isMisreadInQuotes(name)) return `["${name.replaceAll('"', '\\"')}"]`;
  return isFirst ? name : `.${name}`;
}
