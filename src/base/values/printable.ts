/**
 * Text from outside (names of files and zones, answers of a service, a YAML file) may have characters that control a terminal or hide text
 * in it, or words that a CI runner takes for a command when it reads them in the log. Each report escapes all of its data once, so that
 * no field can be forgotten.
 */

/** Control and format characters (ANSI escapes, line breaks, marks that reverse the direction of text), lone surrogates. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** The same without line breaks, which in JSON are always between values. */
const unprintableInJson = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The same without tabs and line breaks, for data that has some. */
const unprintableData = /(?![\t\n]|\r\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Commands of CI runners. GitHub reads `::error::` at the start of a line, where any word may be once a line is wrapped, and `##[error]`
 * anywhere in it; Azure reads `##vso[…]`, TeamCity `##teamcity[…]`. An IPv6 address such as `::1` is none.
 */
const runnerCommand = /(?<=^|\s):(?=:(?![\da-f.:]*(?:\/\d+)?(?:[\s,;)\]]|$)))|#(?=#\w*\[)/giu;
const runnerCommandInJson = /#(?=#\w*\[)/gu;

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Finds any text in JSON that may need an escape: characters outside of ASCII, escapes other than that of a quotation mark, commands. */
const unusualInJson = /[^ -~]|\\[^"]|[" ]::|##/;

/** Returns plain data in which every string is safe to print on one line: a copy, or the original if no string needs an escape. */
export function printable<Data>(data: Data): Data {
  // Copying 50,000 moves takes as long as the rest of their HTML report; one look at their JSON takes a fifth of that.
  return unusualInJson.test(JSON.stringify(data)) ? (copied(data) as Data) : data;
}

/** Returns the text on one line, with escapes for control characters and commands of CI runners: `\n`, `\u{1b}`, `\u{3a}:error::`. */
export function printableText(text: string): string {
  // A quick test: most texts are plain, and there may be a hundred thousand of them.
  if (/^[ -~]*$/.test(text) && !/(?:^| )::|##/.test(text)) return text;
  return text
    .replaceAll(unprintable, (character) => shortEscapes[character] ?? escapeOf(character))
    .replaceAll(runnerCommand, escapeOf);
}

function escapeOf(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** Returns a line of output. No part of the text, such as a name from a service, can begin a line of its own. */
export function printableLine(text: string): string {
  return `${printableText(text)}\n`;
}

/** Escapes control characters, except line breaks, in text whose lines are meant: a patch, a help text. */
export function printableLines(text: string): string {
  return text.split('\n').map(printableText).join('\n');
}

/** Escapes control characters and commands of CI runners in a JSON text; its value stays the same. */
export function printableJson(json: string): string {
  return json.replaceAll(unprintableInJson, jsonEscape).replaceAll(runnerCommandInJson, jsonEscape);
}

/** Returns a value as a JSON document for people and programs, which ends with a line break. */
export function jsonText(value: unknown): string {
  return `${printableJson(JSON.stringify(value, undefined, 2))}\n`;
}

/** Escapes control characters in text or JSON, except tabs and line breaks. */
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
