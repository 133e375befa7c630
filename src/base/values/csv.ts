/** Lines of CSV (RFC 4180). */

/** Returns a line with its break. */
export function csvRow(texts: readonly string[]): string {
  return `${texts.map(quoted).join(',')}\r\n`;
}

/** Returns the text of a value: JSON for what is not text, and nothing for null. */
export function csvText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value ?? undefined) ?? '');
}

/** Within quotation marks, `::` begins no line, where a CI runner would take it for a command. */
function quoted(text: string): string {
  return /[",\r\n]|^\s*::/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
