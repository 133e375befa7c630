/** Parts that several sections use: tables whose first rows are open and whose rest is folded, numbers, short lists. */
import { formatNumber } from '../../base/diagnostics/valueWords.ts';
import { shortened, styleOf, type TextOptions } from '../text/style.ts';
import { type Content, type Markup, markup } from './markup.ts';

/** A part of the page. The title is also in the table of contents. */
export interface PageSection {
  id: string;
  title: string;
  body: Content;
}

export interface Table {
  caption: string;
  head: Content;
  /** Each entry is a row, or a group of rows. */
  rows: readonly Markup[];
  /** The noun for counting rows. */
  noun: string;
  /** The number of rows that are not folded. */
  open: number;
  /** The number of rows on the page, unless `full` is set. */
  most: number;
  /** A sentence that says where the other rows are. */
  leftOut: string;
}

/** Shows the first rows, and folds the rest. */
export function foldedTable(table: Table, options: TextOptions): Content {
  const { shown, more } = shortlist(table.rows, table.most, options);
  const first = shortlist(shown, table.open, { ...options, full: false });
  const folded = shown.slice(first.shown.length);
  return [
    plainTable(table, first.shown),
    folded.length > 0 &&
      markup`<details><summary>${formatNumber(folded.length)} more ${table.noun}s</summary>${plainTable(
        { ...table, caption: `${table.caption}, the rest` },
        folded,
      )}</details>`,
    leftOut(more, table.noun, table.leftOut),
  ];
}

/** Returns the first items of a list, and the number of the others, which is never one. */
export function shortlist<Item>(items: readonly Item[], few: number, options: TextOptions) {
  return shortened(items, few, styleOf(options));
}

export function leftOut(more: number, noun: string, where: string): Content {
  return more > 0 && markup`<p class="quiet">… and ${formatNumber(more)} more ${noun}s. ${where}</p>`;
}

/** Scrollable regions need a name and must be reachable by keyboard. */
function plainTable({ caption, head }: Table, rows: readonly Markup[]): Markup {
  return markup`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table>
<caption class="unseen">${caption}</caption>
<thead><tr>${head}</tr></thead>
${rows}
</table></div>
`;
}
