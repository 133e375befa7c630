/** Parts that several sections use: tables whose first rows are open and whose rest is folded, numbers, short lists. */
import { formatNumber, shorten } from '../../base/diagnostics/valueWords.ts';
import type { Cell, ReportState, TableSection } from '../model/sectionTypes.ts';
import { shortened, styleOf, type TextOptions } from '../text/style.ts';
import { type Content, type Markup, markup, sentence } from './markup.ts';

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
  /** A sentence that says where the other rows are. By default, in the JSON report. */
  leftOut?: string;
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

/** Draws a table of the model. `idOf` returns the id of a row. */
export function sectionTable(
  { title, columns, items, nouns }: TableSection,
  options: TextOptions,
  own: Partial<Table> = {},
  idOf?: (index: number) => string,
): Content {
  if (items.length === 0) return undefined;
  const table: Table = {
    // The section has the title as its name, and no two regions may have the same.
    caption: `${title} as a table`,
    head: columns.map(
      ({ name, isNumber }) => markup`<th scope="col"${isNumber && { markup: ' class="number"' }}>${name}</th>`,
    ),
    rows: items.map(({ cells }, index) => {
      const drawn = cells().map(tableCell);
      return markup`<tr${idOf && markup` id="${idOf(index)}"`}>${drawn}</tr>\n`;
    }),
    noun: nouns.item ?? 'row',
    open: 20,
    most: 500,
    ...own,
  };
  return foldedTable(table, options);
}

/** The limit is longer than every sentence of the program. Cuts long values, which would fill the page. */
const longestCell = 2_000;

function tableCell(cell: Cell, index: number): Markup {
  if (typeof cell === 'number') return markup`<td class="number">${formatNumber(cell)}</td>`;
  const content = cellContent(cell);
  return index === 0 ? markup`<th scope="row">${content}</th>` : markup`<td>${content}</td>`;
}

function cellContent(cell: Exclude<Cell, number>): Content {
  if (typeof cell === 'string') return sentence(shorten(cell, longestCell));
  if (!('name' in cell)) return badge(cell);
  const { name, id } = cell;
  return id === undefined ? name : markup`<a href="#${id}">${name}</a>`;
}

export function badge({ kind, words }: ReportState): Markup {
  return markup`<span class="badge is-${kind}">${words}</span>`;
}

/** Returns the first items of a list, and the number of the others, which is never one. */
export function shortlist<Item>(items: readonly Item[], few: number, options: TextOptions) {
  return shortened(items, few, styleOf(options));
}

export function leftOut(more: number, noun: string, where = 'The JSON report has all of them.'): Content {
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
