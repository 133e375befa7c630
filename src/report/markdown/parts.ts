/** Sections that the Markdown reports of plans and of runs share. */

import type { Problem } from '../../base/diagnostics/problem.ts';
import { counted, formatNumber, shorten } from '../../base/diagnostics/valueWords.ts';
import type { Move } from '../../kinds/move.ts';
import type { TracedMove } from '../model/moves.ts';
import { locationText, problemDetails } from '../model/problemDetails.ts';
import type { Cell, Column, Nouns, SectionRow } from '../model/sectionTypes.ts';
import { plainStyle, shortened } from '../text/style.ts';
import type { MarkdownItem, MarkdownSection } from './budget.ts';
import { cell, code, escaped, fenced, longestName } from './markup.ts';

/** Returns a section with a list, or nothing if there are no items. */
export function listSection(
  title: string,
  items: readonly MarkdownItem[],
  nouns: Nouns,
  folded?: string,
): MarkdownSection[] {
  const body = (shown: readonly string[]) => shown.join('\n');
  return items.length === 0 ? [] : [{ head: headOf([title]), items, body, more: moreOf(nouns), folded }];
}

/** Returns a section with a table below its title and remarks. */
export function tableSection(
  texts: readonly string[],
  columns: readonly Column[],
  rows: readonly SectionRow[],
  nouns: Nouns,
  folded?: string,
): MarkdownSection[] {
  const items = rows.map((row) => ({ text: () => tableRow(row), weight: row.weight }));
  const head = headOf(texts) + tableHead(columns);
  return listSection('', items, nouns, folded).map((section) => ({ ...section, head }));
}

export function tableHead(columns: readonly Column[]): string {
  const rules = columns.map(({ isNumber }) => (isNumber ? '---:' : '---'));
  return `${rowText(columns.map(({ name }) => name))}\n${rowText(rules)}\n`;
}

export function tableRow({ cells }: SectionRow): string {
  return rowText(cells().map((each) => cell(cellText(each))));
}

const longestCell = 2_000;

function cellText(its: Cell): string {
  if (typeof its === 'number') return formatNumber(its);
  if (typeof its === 'string') return escaped(its, longestCell);
  if ('change' in its) return signed(its.change);
  return 'name' in its ? code(its.name, 3 * longestName) : its.words;
}

function signed(change: number): string {
  return change > 0 ? `+${formatNumber(change)}` : formatNumber(change).replace('-', '−');
}

/** Returns a section with a code block. */
export function blockSection(
  title: string,
  language: string,
  items: readonly MarkdownItem[],
  nouns: Nouns,
  folded?: string,
): MarkdownSection[] {
  const body = (shown: readonly string[]) => fenced(language, shown);
  return listSection(title, items, nouns, folded).map((section) => ({ ...section, body }));
}

export function problemItems(problems: readonly Problem[]): MarkdownItem[] {
  return problems.map((problem) => ({ text: () => problemText(problem), weight: 1 }));
}

function moreOf({ item, weight }: Nouns): MarkdownSection['more'] {
  return (left, isAll) => {
    const total = left.reduce((sum, each) => sum + each.weight, 0);
    const more = isAll ? '' : 'more ';
    const items = item === undefined ? [] : [counted(left.length, more + item)];
    const weights = weight === undefined ? [] : [counted(total, items.length > 0 ? weight : more + weight)];
    const [first = '', second] = [...items, ...weights];
    const words = second === undefined ? first : `${first} (${second})`;
    return isAll ? `${words} not shown.` : `… and ${words}.`;
  };
}

/** Returns the title and the remarks below it. */
function headOf([title = '', ...remarks]: readonly string[]): string {
  const parts = [title === '' ? '' : `#### ${title}`, ...remarks].filter((part) => part !== '');
  return parts.map((part) => `${part}\n\n`).join('');
}

function rowText(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

const fewLocations = 3;
const fewResources = 10;

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

const ipsInLine = 6;

/** Returns all IPs that move between two zones, several per line. */
export function ipItems(moves: readonly TracedMove[], isDrift: boolean): MarkdownItem[] {
  const lines = Math.ceil(moves.length / ipsInLine);
  return Array.from({ length: lines }, (_, index) => {
    const its = moves.slice(index * ipsInLine, (index + 1) * ipsInLine);
    const head = () => (index === 0 ? `${flowText(moves, isDrift)}\n` : '');
    return { text: () => `${head()}  ${its.map(moveText).join(', ')}`, weight: its.length };
  });
}

function flowText(moves: readonly TracedMove[], isDrift: boolean): string {
  const [{ from, to, fate }] = moves as [TracedMove];
  const [source, target] = [shorten(from, longestName), shorten(to, longestName)];
  const zones = isDrift ? `in ${source}, declared in ${target}` : `from ${source} to ${target}`;
  return `${counted(moves.length, 'IP')} ${zones}${fate === undefined ? '' : `: ${fate}`}`;
}

function moveText({ ip, country, reason }: Move): string {
  const why = ['surplus', 'released'].includes(reason) ? [`(${reason})`] : [];
  return shorten([ip, country, ...why].join(' ').trimEnd(), longestName);
}
