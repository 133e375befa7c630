/**
 * Names and words that come from outside (zones, a service's answers, a YAML file) may hold characters that steer a terminal or
 * hide text in it. Reports escape them once, in the whole of what they are about to show, so that no place can be forgotten.
 */

/** Control and format characters (ANSI escapes, line breaks, marks that reverse the direction of text), lone surrogates. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** Of a JSON text, whose own line breaks are not in its strings. */
const unprintableInJson = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Of data with tabs and line breaks of its own. */
const unprintableData = /(?![\t\n]|\r\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A copy of plain data whose every text fits on one line of a terminal. */
export function printable<Data>(data: Data): Data {
  return copied(data) as Data;
}

/** The text on one line, its control characters as escapes: `\n`, `\u{1b}`. */
export function printableText(text: string): string {
  // Most texts are plain, and there may be a hundred thousand of them.
  if (/^[ -~]*$/.test(text)) return text;
  return text.replaceAll(
    unprintable,
    (character) => shortEscapes[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/** The text on the lines that it has. */
export function printableLines(text: string): string {
  return text.split('\n').map(printableText).join('\n');
}

/** The same JSON value, written so that it can be shown. */
export function printableJson(json: string): string {
  return json.replaceAll(unprintableInJson, jsonEscape);
}

/** Text or JSON of several lines for a terminal; tabs and line breaks stay. */
export function printableData(text: string): string {
  return /^[ -~\t\n]*$/.test(text) ? text : text.replaceAll(unprintableData, jsonEscape);
}

function jsonEscape(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

function copied(value: unknown): unknown {
  if (typeof value === 'string') return printableText(value);
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [printableText(name), copied(field)]));
}
