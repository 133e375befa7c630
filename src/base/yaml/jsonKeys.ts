/** Keys that are given twice in one object of JSON. `JSON.parse` keeps the last value, and a job with it would be billed. */
import type { Problem } from '../diagnostics/problem.ts';
import { shorten } from '../diagnostics/valueWords.ts';

export interface RepeatedKey {
  key: string;
  /** The line of the second one, counted from 1. */
  line: number;
}

/** Returns the problem about a key. Its value may be a secret, so it is not shown. */
export function repeatedKeyProblem(key: string): Problem {
  return {
    code: 'duplicate-key',
    found: `the key ${shorten(JSON.stringify(key))} is given twice in one object`,
    allowed: 'each key once in an object',
    fix: 'remove one of the two',
  };
}

/** Returns the first key that an object has twice. Reads the text once, without parsing it: it must be valid JSON. */
export function repeatedKeyIn(json: string): RepeatedKey | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charCodeAt(at);
    if (character === objectStart) open.push(new Set());
    else if (character === listStart) open.push(undefined);
    else if (character === objectEnd || character === listEnd) open.pop();
    if (character !== quote) continue;
    const end = endOfString(json, at);
    const keys = open.at(-1);
    if (keys !== undefined && isBeforeColon(json, end)) {
      const key = textOf(json.slice(at, end));
      if (keys.has(key)) return { key, line: json.slice(0, at).split('\n').length };
      keys.add(key);
    }
    at = end - 1;
  }
  return undefined;
}

const [quote, backslash, colon, objectStart, objectEnd, listStart, listEnd] = [
  0x22, 0x5c, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d,
];

/** Returns the offset after the closing quote. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end > 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end < 0 ? json.length : end + 1;
}

/** Reports whether an odd number of backslashes is before the character. */
function isEscaped(json: string, at: number): boolean {
  let start = at;
  while (json.charCodeAt(start - 1) === backslash) start -= 1;
  return (at - start) % 2 === 1;
}

function isBeforeColon(json: string, at: number): boolean {
  let next = at;
  while (json.charCodeAt(next) <= space) next += 1;
  return json.charCodeAt(next) === colon;
}

const space = 0x20;

/** Two keys may be spelled differently: `"url"` and `"\u0075rl"`. */
function textOf(quoted: string): string {
  return quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1);
}
