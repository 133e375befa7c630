/** The list of all moves: an empty table that the page's script fills, and compact data for it. */
import { counted } from '../../base/diagnostics/valueWords.ts';
import type { TracedMove } from '../model/moves.ts';
import type { IpSection } from '../model/sectionTypes.ts';
import { type Content, embeddedJson, type Markup, markup } from './markup.ts';

/** The data for the script: one entry per move, with words as indexes into lists. */
interface MoveData {
  ips: string[];
  columns: Partial<Record<ColumnName, { words: string[]; of: number[] }>>;
}

type ColumnName = 'country' | 'from' | 'to' | 'why' | 'fate';

interface Column {
  name: ColumnName;
  title: string;
  /** The label of the filter without a choice. */
  all: string;
}

const planned: Column[] = [
  { name: 'country', title: 'Country', all: 'All countries' },
  { name: 'from', title: 'From', all: 'All zones' },
  { name: 'to', title: 'To', all: 'All zones' },
];

const why: Column = { name: 'why', title: 'Why', all: 'All reasons' };

/** Drift has its own titles: nothing moves. */
const driftTitles: Partial<Record<ColumnName, string>> = { from: 'Is in', to: 'Declared in' };

const fate: Column = { name: 'fate', title: 'Outcome', all: 'All outcomes' };

export function moveListBody({ items: moves, isDrift, hasWhys }: IpSection): Content {
  const ownColumns = isDrift
    ? planned.map((column) => ({ ...column, title: driftTitles[column.name] ?? column.title }))
    : planned;
  const hasFates = moves.some((move) => move.fate !== undefined);
  const columns = [...ownColumns, ...(hasWhys ? [why] : []), ...(hasFates ? [fate] : [])];
  return markup`<p id="no-move-list" class="quiet">${counted(moves.length, 'IP')}: the list needs JavaScript. The JSON report has all of them.</p>
<div id="move-list" hidden>
${filters(columns)}
<p id="move-count" role="status"></p>
<div class="scroll" role="region" aria-label="All IPs" tabindex="0"><table id="move-table">
<caption class="unseen">All IPs; the column headers sort the list</caption>
<thead><tr>${[{ name: 'ip', title: 'IP' }, ...columns].map(sortable)}</tr></thead>
<tbody></tbody>
</table></div>
<p><button type="button" id="move-more">Show 200 more</button></p>
</div>
<script type="application/json" id="move-data">${embeddedJson(dataOf(moves, columns))}</script>
`;
}

function filters(columns: readonly Column[]): Markup {
  return markup`<form class="filters no-print" id="move-filters">
<label class="search">Search <input type="search" name="text" placeholder="Start of an IP, or part of a zone" autocomplete="off" spellcheck="false"></label>
${columns.map(({ name, title, all }) => markup`<label>${title} <select name="${name}"><option value="">${all}</option></select></label>\n`)}<button type="reset">Clear</button>
</form>`;
}

function sortable({ name, title }: { name: string; title: string }): Markup {
  return markup`<th scope="col" aria-sort="none"><button type="button" class="sort" data-column="${name}">${title}</button></th>`;
}

function dataOf(moves: readonly TracedMove[], columns: readonly Column[]): MoveData {
  const entries = columns.map(({ name }) => [name, coded(moves.map((move) => move[name] ?? ''))]);
  return { ips: moves.map(({ ip }) => ip), columns: Object.fromEntries(entries) };
}

function coded(texts: readonly string[]): { words: string[]; of: number[] } {
  const words = [...new Set(texts)].sort();
  const places = new Map(words.map((word, index) => [word, index]));
  return { words, of: texts.map((text) => places.get(text) ?? 0) };
}
