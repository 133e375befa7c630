/** Descriptions of values for people, in the terms of YAML instead of JavaScript. */

const LONGEST_SHOWN = 60;

/**
 * Describes a value: `a string "10"`, `a number 010`, "a list", "nothing (null)", "a map".
 * @param written the scalar as it is in the file; shown instead of the value of a variable, and instead of a number whose spelling
 * YAML does not keep
 */
export function describeValue(value: unknown, written?: string): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'nothing (null)';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return typeof value === 'string'
    ? `a string ${JSON.stringify(shorten(written?.includes('${') ? written : value))}`
    : `a ${typeof value} ${shorten(written ?? String(value))}`;
}

/** Describes a value without showing it. */
export function describeSecret(value: unknown): string {
  return typeof value === 'object' || value === undefined ? describeValue(value) : `a ${typeof value}`;
}

/** Cuts long text, but never within a character. */
export function shorten(text: string, longest: number = LONGEST_SHOWN): string {
  // Cut roughly first: splitting a megabyte into characters would be slow.
  const characters = [...text.slice(0, 2 * longest + 2)];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}

/** `1 IP`, `50,000 IPs`. */
export function counted(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats a number for people: `50,000`. The first `toLocaleString` loads locale data, which takes 5 MB and some milliseconds. */
export function formatNumber(count: number): string {
  return Number.isInteger(count) ? String(count).replace(/\B(?=(?:\d{3})+$)/g, ',') : count.toLocaleString('en');
}

/** Lists the first items: `a, b and 3 more`. */
export function firstOf(items: readonly unknown[], most: number): string {
  const shown = items.slice(0, most).join(', ');
  return items.length > most ? `${shown} and ${items.length - most} more` : shown;
}

/** `1 IP moves`, `2 IPs move`. */
export function does(count: number, noun: string, one: string, many: string): string {
  return `${counted(count, noun)} ${count === 1 ? one : many}`;
}
