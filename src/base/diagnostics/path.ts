/** Paths of keys as text: `zoneIpAllocations.static.zones.checkout.ips[0]`. */

import { parsedJson } from '../values/plain.ts';

const SIMPLE_KEY = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

/** Quotes keys that would be misread after a dot: `zones["a.b"]`. Returns an empty string for the empty path. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => text + formatStep(key, text === ''), '');
}

const STEP = /(?:^|\.)([\p{L}_][\p{L}\p{N}_-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/uy;

/** Reads a path that `formatPath` wrote. Returns undefined for text that is none. */
export function parsePath(text: string): PropertyKey[] | undefined {
  const path: PropertyKey[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < text.length) {
    const [, key, index, quoted] = STEP.exec(text) ?? [];
    const step = key ?? (index === undefined ? parsedJson(quoted ?? '') : Number(index));
    if (typeof step !== 'string' && typeof step !== 'number') return undefined;
    path.push(step);
  }
  return path;
}

/** Returns the end of a path as a noun: `ips[0]` in backticks, or "the value" for the empty path. */
export function nameOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the value';
  const lastName = path.findLastIndex((key) => typeof key !== 'number');
  return `\`${String(path[lastName] ?? '')}${formatPath(path.slice(lastName + 1))}\``;
}

function formatStep(key: PropertyKey, first: boolean): string {
  if (typeof key === 'number') return `[${key}]`;
  const name = String(key);
  if (!SIMPLE_KEY.test(name)) return `[${JSON.stringify(name)}]`;
  return first ? name : `.${name}`;
}
