/** The items of sections in Markdown: rows of tables, problems, notes, changes and IPs. */

import type { Problem } from '../../base/diagnostics/problem.ts';
import { counted, formatNumber, shorten } from '../../base/diagnostics/valueWords.ts';
import { placeOfCalls } from '../model/calls.ts';
import type { ChangedResource } from '../model/changedResources.ts';
import type { TracedMove } from '../model/moves.ts';
import { locationText, problemDetails } from '../model/problemDetails.ts';
import type { IpSection, NoteSection } from '../model/sectionTypes.ts';
import { listed, plainStyle, shortened } from '../model/style.ts';
import type { Cell, Column, SectionRow } from '../model/tables.ts';
import { plannedRows } from '../text/callRows.ts';
import { table } from '../text/layout.ts';
import type { MarkdownItem } from './budget.ts';
import { cell, code, escaped, longestName } from './markup.ts';

export function tableHead(columns: readonly Column[]): string {
  const rules = columns.map(({ isNumber }) => (isNumber ? '---:' : '---'));
  return `${rowText(columns.map(({ name }) => name))}\n${rowText(rules)}\n`;
}

export function tableRow({ cells }: SectionRow): string {
  return rowText(cells().map((each) => cell(cellText(each))));
}

const longestCell = 2_000;

function cellText(cell: Cell): string {
  if (typeof cell === 'number') return formatNumber(cell);
  if (typeof cell === 'string') return escaped(cell, longestCell);
  if ('change' in cell) return signed(cell.change);
  return 'name' in cell ? code(cell.name, 3 * longestName) : cell.words;
}

function signed(change: number): string {
  return change > 0 ? `+${formatNumber(change)}` : formatNumber(change).replace('-', '−');
}

function rowText(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

const fewLocations = 3;
const fewResources = 10;

export function problemItem(problem: Problem): MarkdownItem {
  return { text: () => problemText(problem), weight: 1 };
}

function problemText(problem: Problem): string {
  const where = locationText(problem);
  const { shown, more } = shortened(problem.also ?? [], fewLocations, plainStyle);
  const details = problemDetails({ ...problem, path: [], also: shown }).map(({ name, names, text }) => {
    const label = name === 'fix' ? '**fix:**' : `${name}:`;
    return [label, listedNames(names), escaped(text)].filter((part) => part !== '').join(' ');
  });
  const lines = [...details, ...(more > 0 ? [`… and ${counted(more, 'more location')}`] : [])];
  const first = `- ${where === '' ? '' : `${code(where)}: `}${escaped(problem.found)}`;
  return [first, ...lines.map((line) => `  - ${line}`)].join('\n');
}

function listedNames(names: readonly string[]): string {
  const more = names.length > fewResources ? [`and ${names.length - fewResources} more`] : [];
  return [...names.slice(0, fewResources).map((name) => code(name)), ...more].join(', ');
}

export function noteItem({ title, text, ips }: NoteSection['items'][number]): MarkdownItem {
  const list = ips.length > 0 ? `: ${code(listed(ips, plainStyle).join(' '))}` : '';
  return { text: () => `- ${code(title)}: ${escaped(text)}${list}`, weight: 1 };
}

const longestLine = 300;

/** The first line names the resource. */
export function changeItems({ title, calls, planned }: ChangedResource, isDrift: boolean): MarkdownItem[] {
  const rows = plannedRows({ calls, changes: planned }, plainStyle, { mode: isDrift ? 'drift' : 'plan' });
  const head = `@@ ${shorten(`${title}  ${placeOfCalls(calls) ?? ''}`.trimEnd(), longestLine)} @@\n`;
  return table(rows, 0, Number.MAX_SAFE_INTEGER).map((line, index) => ({
    text: () => (index === 0 ? head : '') + shorten(line.replace(/^~/, '!'), longestLine),
    weight: 1,
  }));
}

const ipsInLine = 6;

/** Returns all IPs that move between two zones, several per line. */
export function ipItems(
  moves: readonly TracedMove[],
  { isDrift, hasWhys }: Pick<IpSection, 'isDrift' | 'hasWhys'>,
): MarkdownItem[] {
  const lines = Math.ceil(moves.length / ipsInLine);
  return Array.from({ length: lines }, (_, index) => {
    const lineMoves = moves.slice(index * ipsInLine, (index + 1) * ipsInLine);
    const head = () => (index === 0 ? `${flowText(moves, isDrift, hasWhys)}\n` : '');
    const texts = () => lineMoves.map(({ ip, country }) => shorten([ip, country].join(' ').trimEnd(), longestName));
    return { text: () => `${head()}  ${texts().join(', ')}`, weight: lineMoves.length };
  });
}

/** The moves are alike in their zones, and in their fate or why they are made. */
function flowText(moves: readonly TracedMove[], isDrift: boolean, hasWhys: boolean): string {
  const [{ from, to, why, fate = hasWhys ? why : undefined }] = moves as [TracedMove];
  const [source, target] = [shorten(from, longestName), shorten(to, longestName)];
  const zones = isDrift ? `in ${source}, declared in ${target}` : `from ${source} to ${target}`;
  return `${counted(moves.length, 'IP')} ${zones}${fate === undefined ? '' : `: ${fate}`}`;
}
