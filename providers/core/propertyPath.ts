/** Paths of properties in the syntax of the engine: `zones.checkout.ips[0]`, `zones["a.b"]`. */

const SIMPLE_KEY = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

/**
 * The engine knows one escape: `\"`. A key in which a backslash comes before a quote, or at the end, cannot be written: the path then ends before
 * it, at the property that contains the difference.
 */
export function propertyPath(path: readonly PropertyKey[]): string {
  const end = path.findIndex((key) => /\\(?:"|$)/.test(String(key)));
  return path.slice(0, end === -1 ? path.length : end).reduce<string>((text, key) => text + step(key, text === ''), '');
}

function step(key: PropertyKey, isFirst: boolean): string {
  if (typeof key === 'number') return `[${key}]`;
  const name = String(key);
  if (!SIMPLE_KEY.test(name)) return `["${name.replaceAll('"', '\\"')}"]`;
  return isFirst ? name : `.${name}`;
}
