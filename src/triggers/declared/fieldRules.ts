/** Rules about fields that belong together, or exclude each other. */
import type { Problem } from '../../base/diagnostics/problem.ts';

/** Returns the problem of a map that has neither of two fields, or both. */
export function exactlyOne(
  spec: Readonly<Record<string, unknown>>,
  [first, second]: readonly [string, string],
  example: string,
): Problem[] {
  if (spec[first] === undefined && spec[second] === undefined) {
    const found = `neither \`${first}\` nor \`${second}\` is declared`;
    return [{ code: 'not-exactly-one', found, allowed: one(first, second), fix: `add \`${example}\`` }];
  }
  return notBoth(spec, [first, second]);
}

export function notBoth(
  spec: Readonly<Record<string, unknown>>,
  [first, second]: readonly [string, string],
): Problem[] {
  if (spec[first] === undefined || spec[second] === undefined) return [];
  const found = `both \`${first}\` and \`${second}\` are declared`;
  const fix = 'remove one of them, or declare each in its own resource';
  return [{ code: 'not-exactly-one', path: [second], at: 'key', found, allowed: one(first, second), fix }];
}

const one = (first: string, second: string): string => `\`${first}\` or \`${second}\``;

/** Returns the problems of fields that have a meaning only beside another one. */
export function requiring(
  spec: Readonly<Record<string, unknown>>,
  fields: readonly string[],
  required: string,
): Problem[] {
  if (spec[required] !== undefined) return [];
  return fields
    .filter((field) => spec[field] !== undefined)
    .map((field) => ({
      code: 'requires-field',
      path: [field],
      at: 'key',
      found: `\`${field}\` requires \`${required}\`, which is missing`,
      allowed: `\`${field}\` beside \`${required}\``,
      fix: `remove \`${field}\``,
    }));
}
