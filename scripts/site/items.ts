/**
 * Reference tables as items. A row of fields, options or error codes is too wide for a phone, has no address, and is invisible to the
 * search; on the site, each becomes a heading with an address, a line with its type and default, and its meaning below.
 */
import { anchorsOf } from './anchors.ts';

/** The first columns of tables whose rows people look up. */
const lookedUp: readonly string[] = [
  ...['field', 'attribute', 'read-only attribute'],
  ...['option', 'argument or option', 'variable'],
  ...['code', 'note', 'call'],
];

const table = /^\| (.+) \|\n\|[ -|]+\|\n((?:\|.*\|\n?)+)/gm;

/** Returns the page with items in place of its reference tables. */
export function withItems(text: string): string {
  const taken = new Set(anchorsOf(text));
  return text.replaceAll(table, (whole, header: string, rows: string, offset: number) => {
    const columns = header.split(' | ').map((cell) => cell.trim());
    const key = columns.findIndex((name) => lookedUp.includes(name));
    if (key === -1) return whole;
    const section = anchorsOf(text.slice(0, offset)).at(-1) ?? '';
    return rows
      .trimEnd()
      .split('\n')
      .map((row) => itemOf(cellsOf(row), columns, key, (name) => newAnchor(name, section, taken)))
      .join('\n');
  });
}

/** Splits a row at its bars, but not at escaped ones or at those in code. */
function cellsOf(row: string): string[] {
  const cells = row.replace(/^\|/, '').replace(/\|\s*$/, '');
  return cells.split(/(?<!\\)\|(?=(?:[^`]*`[^`]*`)*[^`]*$)/).map((cell) => cell.trim());
}

/** The last column is the meaning, the others are facts in a line. */
function itemOf(
  cells: readonly string[],
  columns: readonly string[],
  key: number,
  addressOf: (name: string) => string,
): string {
  const [name = '', meaning = ''] = [cells[key], cells.at(-1)];
  const facts = columns.flatMap((column, index) => {
    const cell = cells[index] ?? '';
    if (index === key || index === columns.length - 1 || cell === '') return [];
    return column === 'type' || column === 'group' || cell === 'required' ? [cell] : [`${column}: ${cell}`];
  });
  // A row may have several names, such as the codes of one mistake. The heading has the address of the first.
  const [first = '', ...others] = [...name.matchAll(/`([^`]+)`/g)].map(([, one = '']) => addressOf(one));
  const more = others.map((anchor) => `<a id="${anchor}"></a>`).join('');
  const heading = first === '' ? `### ${name}` : `### ${inWords(name)} {#${first}}`;
  return `\n${[heading, `${more}${facts.join(' · ')}`, meaning].filter((part) => part !== '').join('\n\n')}\n`;
}

/** Sets the last part of a path apart, so that the search finds `keepAtLeast` in `zones.NAME.keepAtLeast`. */
function inWords(name: string): string {
  return name.replace(/^`([\w.]+\.)(\w+)`$/, '`$1` `$2`');
}

/** Returns the address of a name: `zones.NAME.keepAtLeast` is `zones-keepatleast`, and `-f, --file <file>` is `file`. */
export function anchorOf(name: string): string {
  const [long = name] = /--[\w-]+/.exec(name) ?? [];
  return long
    .replaceAll(/\.[A-Z]+(?=\.|$)/g, '')
    .replace(/^--/, '')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** Returns an address that the page does not have yet: of two fields with one name, the second is named after its section. */
function newAnchor(name: string, section: string, taken: Set<string>): string {
  const wanted = anchorOf(name);
  const free = [wanted, `${section}-${wanted}`, `field-${wanted}`].find((anchor) => !taken.has(anchor)) ?? wanted;
  taken.add(free);
  return free;
}
