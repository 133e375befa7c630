/** Parts that several sections use: tables whose first rows are open and whose rest is folded, numbers, short lists. */
import { formatNumber, shorten } from '../../base/diagnostics/valueWords.ts';
import type { TableSection } from '../model/sectionTypes.ts';
import { plainStyle, type Style, shortened } from '../model/style.ts';
import type { Cell, Column, NameCell, ReportState } from '../model/tables.ts';
import { type Content, type Markup, markup, sentence } from './markup.ts';

/** A part of the page. The title is also in the table of contents. */
export interface PageSection {
  id: string;
  title: string;
  body: Content;
}

export interface Table {
  caption: string;
  columns: readonly Column[];
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
export function foldedTable(table: Table, style: Style): Content {
  const { shown, more } = shortened(table.rows, table.most, style);
  const first = shortened(shown, table.open, plainStyle);
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
  style: Style,
  own: Partial<Table> = {},
  idOf?: (index: number) => string,
): Content {
  if (items.length === 0) return undefined;
  const table: Table = {
    // The section has the title as its name, and no two regions may have the same.
    caption: `${title} as a table`,
    columns,
    rows: items.map(({ cells }, index) => {
      const drawn = cells().map(tableCell);
      return markup`<tr${idOf && markup` id="${idOf(index)}"`}>${drawn}</tr>\n`;
    }),
    noun: nouns.item ?? 'row',
    open: 20,
    most: 500,
    ...own,
  };
  return foldedTable(table, style);
}

/** The limit is longer than every sentence of the program. Cuts long values, which would fill the page. */
const longestCell = 2_000;

function tableCell(cell: Cell, index: number): Markup {
  if (typeof cell === 'number') return markup`<td class="number">${formatNumber(cell)}</td>`;
  if (typeof cell === 'object' && 'change' in cell) return changeCell(cell.change);
  const content = cellContent(cell);
  const whole = typeof cell === 'object' && 'name' in cell && wholeName(cell.name);
  return index === 0 ? markup`<th scope="row"${whole}>${content}</th>` : markup`<td${whole}>${content}</td>`;
}

/** Longer names may break. */
const longestWhole = 24;

/** Returns the attribute of a cell whose name does not break inside, as at the hyphens of a zone. */
export function wholeName(name: string): Content {
  return name.length <= longestWhole && markup` class="whole"`;
}

/** Draws the change of a number. */
export function changeCell(change: number): Markup {
  if (change === 0) return markup`<td class="number quiet">no change</td>`;
  const [kind, sign] = change > 0 ? ['added', '+'] : ['removed', '−'];
  return markup`<td class="number ${kind}">${sign}${formatNumber(Math.abs(change))}</td>`;
}

function cellContent(cell: NameCell | ReportState | string): Content {
  if (typeof cell === 'string') return sentence(shorten(cell, longestCell));
  if (!('name' in cell)) return badge(cell);
  const { name, id } = cell;
  return id === undefined ? name : markup`<a href="#${id}">${name}</a>`;
}

export function badge({ kind, words }: ReportState): Markup {
  return markup`<span class="badge is-${kind}">${words}</span>`;
}

export function leftOut(more: number, noun: string, where = 'The JSON report has all of them.'): Content {
  return more > 0 && markup`<p class="quiet">… and ${formatNumber(more)} more ${noun}s. ${where}</p>`;
}

/** Scrollable regions need a name and must be reachable by keyboard. */
function plainTable({ caption, columns }: Table, rows: readonly Markup[]): Markup {
  return markup`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table>
<caption class="unseen">${caption}</caption>
<thead><tr>${columns.map(columnHead)}</tr></thead>
${rows}
</table></div>
`;
}

/** A column without a name has bars of the numbers beside it. */
function columnHead({ name, isNumber }: Column): Markup {
  if (name === '') return markup`<td class="bars"></td>`;
  return markup`<th scope="col"${isNumber && { markup: ' class="number"' }}>${name}</th>`;
}
