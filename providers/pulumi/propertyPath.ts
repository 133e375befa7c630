/** Paths of properties in the syntax of the engine: `zones.checkout.ips[0]`, `zones["a.b"]`. */
import type { PropertyPath } from '../core/stored/storedResource.ts';

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

/** A quoted name, an index or `*` in brackets, or a plain name. A dot before any of them has no meaning. */
const STEP = /\.|\["((?:\\"|(?!\\")[^"])*)"\]|\[(\d+|\*)\]|([^.[]+)/y;

/** Reads a path as the engine does. Undefined for a text that is no path, which the engine ignores too. */
export function parsePropertyPath(text: string): PropertyPath | undefined {
  const path: (string | number)[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < text.length) {
    const match = STEP.exec(text);
    if (match === null) return undefined;
    const [, quoted, index, name = index] = match;
    if (quoted !== undefined) path.push(quoted.replaceAll('\\"', '"'));
    else if (name !== undefined) path.push(index === undefined || index === '*' ? name : Number(index));
  }
  return path;
}

/** Reads the paths of the option `ignoreChanges`. Texts that are no paths are left out, as the engine does. */
export function ignoredPaths(ignoreChanges: readonly string[]): PropertyPath[] {
  return ignoreChanges.flatMap((text) => {
    const path = parsePropertyPath(text) ?? [];
    return path.length === 0 ? [] : [path];
  });
}
