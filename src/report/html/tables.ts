/** Parts that several sections are made of: sections, tables of which the first rows are open and the rest folded, numbers, lists. */
import { counted } from '../../diagnostics/valueWords.ts';
import { styleOf, type TextOptions } from '../text/style.ts';
import { shortened } from '../text/words.ts';
import { type Content, type Markup, markup } from './markup.ts';

/** A part of the page, with its name in the contents. */
export interface Section {
  id: string;
  title: string;
  body: Content;
}

export interface Table {
  caption: string;
  head: Content;
  /** Each is a whole row, or a group of rows. */
  rows: readonly Markup[];
  /** What a row is called where rows are counted. */
  noun: string;
  /** Open from the start. */
  open: number;
  /** More than these are not on the page at all, unless all is asked for. */
  most: number;
  /** Said of those. */
  leftOut: string;
}

/** Beyond the open rows, the rest is one fold away. */
export function foldedTable(table: Table, options: TextOptions): Content {
  const { shown, more } = shortlist(table.rows, table.most, options);
  const first = shortlist(shown, table.open, { ...options, full: false });
  const folded = shown.slice(first.shown.length);
  return [
    plainTable(table, first.shown),
    folded.length > 0 &&
      markup`<details><summary>${number(folded.length)} more ${table.noun}s</summary>${plainTable(
        { ...table, caption: `${table.caption}, the rest` },
        folded,
      )}</details>`,
    leftOut(more, table.noun, table.leftOut),
  ];
}

/** The first of a list, and how many more there are: never one alone. */
export function shortlist<Item>(items: readonly Item[], few: number, options: TextOptions) {
  return shortened(items, few, styleOf(options));
}

export function leftOut(more: number, noun: string, where: string): Content {
  return more > 0 && markup`<p class="quiet">… and ${number(more)} more ${noun}s. ${where}</p>`;
}

/** `50,000`. */
export function number(count: number): string {
  return count.toLocaleString('en');
}

/** `1 IP`, `50,000 IPs`. */
export function counts(count: number, noun: string): string {
  return counted(count, noun).replace(String(count), number(count));
}

/** What can scroll by itself must be reachable by keyboard, and named. */
function plainTable({ caption, head }: Table, rows: readonly Markup[]): Markup {
  return markup`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table>
<caption class="unseen">${caption}</caption>
<thead><tr>${head}</tr></thead>
${rows}
</table></div>
`;
}
