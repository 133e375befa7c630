/**
 * Numbers whose digits a JavaScript number cannot hold, found before they are rounded. An input with a rounded number would
 * trigger a billed job for something else.
 */

import type { Problem } from '../diagnostics/problem.ts';
import { shorten } from '../diagnostics/valueWords.ts';
import { valueAt } from '../values/plain.ts';

/** A problem about one number. `text` is the number as it is written, or words for a number that must not be shown. */
export function inexactNumber(text: string): Problem {
  return {
    code: 'inexact-number',
    found: `the number ${shorten(text)} cannot be kept exactly`,
    allowed: `whole numbers up to ${Number.MAX_SAFE_INTEGER}, and decimals of up to 15 digits`,
    fix: 'put it in quotes to keep all its digits as text',
  };
}

/** Whether the number that this text stands for keeps its value: `1.50` does, `9007199254740993` and `1e999` do not. */
export function keepsDigits(text: string, value = Number(text)): boolean {
  if (/^0[xob]/i.test(text)) return BigInt(text) === BigInt(value);
  return decimalOf(text) === decimalOf(String(value));
}

/** Whether a number whose text is not known can be trusted: a whole number beyond 2^53 may have been rounded before. */
export function isSafe(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

/** A problem about the first number in a value that is not allowed, with its path. */
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

/** The first number in a JSON text that would lose digits, and its line, counted from 1. */
export function inexactInJson(json: string): { text: string; line: number } | undefined {
  if (!longNumber.test(json)) return undefined;
  for (const { 0: text, index } of json.matchAll(stringOrNumber)) {
    if (text.startsWith('"') || keepsDigits(text)) continue;
    return { text, line: json.slice(0, index).split('\n').length };
  }
  return undefined;
}

/** JSON.parse that keeps numbers as they are written where a JavaScript number cannot; JSON.stringify writes them back. */
export function parseExact(json: string): unknown {
  if (!longNumber.test(json)) return JSON.parse(json);
  return withSources.parse(json, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && !keepsDigits(source, value)
      ? withSources.rawJSON(source)
      : value,
  );
}

/** Part of JavaScript since Node 21; TypeScript does not know it yet. */
const withSources = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
};

/** Text without a match holds no number that could lose digits: most text is never looked at twice. */
const longNumber = /(?:^|[[:,\s])-?(?:[\d.]{16,}|[\d.]+e)/i;
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.]*(?:e[-+]?\d+)?/gi;

/** Longer numbers are refused unread. */
const longestDecimal = 1000;

/** One spelling for each value: `-15e-1` for `-1.50`. Undefined for what is no decimal number. */
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
