/**
 * Finds numbers whose digits a JavaScript number cannot hold, before they are rounded. An input with a rounded number would
 * trigger a billed job for something else.
 */

import type { Problem } from '../diagnostics/problem.ts';
import { shorten } from '../diagnostics/valueWords.ts';
import { valueAt } from '../values/plain.ts';

/** Returns the problem about a number. `text` is the number as written, or words for a number that must not be shown. */
export function inexactNumber(text: string): Problem {
  return {
    code: 'inexact-number',
    found: `the number ${shorten(text)} cannot be kept exactly`,
    allowed: `whole numbers up to ${Number.MAX_SAFE_INTEGER}, and decimals of up to 15 digits`,
    fix: 'put it in quotes to keep all its digits as text',
  };
}

/** Reports whether the number in this text keeps its value: `1.50` does, `9007199254740993` and `1e999` do not. */
export function keepsDigits(text: string, value = Number(text)): boolean {
  if (/^0[xob]/i.test(text)) return Number.isFinite(value) && BigInt(text) === BigInt(value);
  return decimalOf(text) === decimalOf(String(value));
}

/** Reports whether a number whose text is not known is exact: a whole number beyond 2^53 may have been rounded before. */
export function isSafe(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

/** Returns a problem with the path of the first number that is not allowed. */
export function inexactIn(value: unknown, isAllowed: (number: number) => boolean): Problem | undefined {
  const path = pathOfNumber(value, (number) => !isAllowed(number), []);
  return path && { ...inexactNumber(String(valueAt(value, path))), path };
}

function pathOfNumber(
  value: unknown,
  matches: (number: number) => boolean,
  path: PropertyKey[],
): PropertyKey[] | undefined {
  if (typeof value === 'number') return matches(value) ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = pathOfNumber(inner, matches, [...path, Array.isArray(value) ? Number(key) : key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the first number in a JSON text that would lose digits, and its line, counted from 1. */
export function inexactInJson(json: string): { text: string; line: number } | undefined {
  if (!longNumber.test(json)) return undefined;
  for (const { 0: text, index } of json.matchAll(stringOrNumber)) {
    if (text.startsWith('"') || keepsDigits(text)) continue;
    return { text, line: json.slice(0, index).split('\n').length };
  }
  return undefined;
}

/** Parses JSON and keeps the text of numbers that a JavaScript number cannot hold. JSON.stringify writes them unchanged. */
export function parseExact(json: string): unknown {
  if (!longNumber.test(json)) return JSON.parse(json);
  return withSources.parse(json, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && !keepsDigits(source, value)
      ? withSources.rawJSON(source)
      : value,
  );
}

/** Available since Node 21, but not in the types of TypeScript. */
const withSources = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
};

/** A quick test: text without a match has no number that could lose digits. */
const longNumber = /(?:^|[[:,\s])-?(?:[\d.]{16,}|[\d.]+e)/i;
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.]*(?:e[-+]?\d+)?/gi;

/** Longer numbers are refused without parsing. */
const longestDecimal = 1000;

/** Returns one spelling for each value: `-15e-1` for `-1.50`. Returns undefined for text that is not a decimal number. */
function decimalOf(text: string): string | undefined {
  if (text.length > longestDecimal) return undefined;
  const match = /^([-+]?)(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i.exec(text.trim());
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign === '-' ? '-' : ''}${significant}e${power}`;
}
