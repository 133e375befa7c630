/** The sections of a report in Markdown. What needs much room is folded. */

import { counted } from '../../base/diagnostics/valueWords.ts';
import { byPair } from '../model/moves.ts';
import type { Report } from '../model/report.ts';
import { sectionsOf } from '../model/sections.ts';
import type { ChangeSection, IpSection, Section, TableSection, ZoneSection } from '../model/sectionTypes.ts';
import { plainStyle } from '../model/style.ts';
import { type Nouns, tableOf } from '../model/tables.ts';
import { countryWords, hasChange } from '../model/zones.ts';
import type { MarkdownItem, MarkdownSection } from './budget.ts';
import { changeItems, ipItems, noteItem, problemItem, tableHead, tableRow } from './items.ts';
import { escaped, fenced } from './markup.ts';

export function markdownSections(report: Report): MarkdownSection[] {
  return sectionsOf(report, plainStyle)
    .filter(({ isDetail }) => !isDetail)
    .map(drawn)
    .filter(({ items }) => items.length > 0);
}

function drawn(section: Section): MarkdownSection {
  const { title, remarks = [] } = section;
  switch (section.is) {
    case 'problems':
      return listOf(section.items.map(problemItem), { item: section.noun }, title);
    case 'table':
      if (section.folded === undefined) return tableSection(section, title, ...remarks);
      return { ...tableSection(section, '', ...remarks), folded: escaped(section.folded) };
    case 'zones':
      return zoneSection(section);
    case 'changes':
      return changeSection(section);
    case 'notes':
      return {
        ...listOf(section.items.map(noteItem), { item: 'note' }),
        folded: counted(section.items.length, 'note'),
      };
    case 'ips':
      return ipSection(section);
  }
}

/** Returns a list below a title and sentences. */
function listOf(items: readonly MarkdownItem[], nouns: Nouns, title = '', ...remarks: string[]): MarkdownSection {
  const parts = [title === '' ? '' : `#### ${title}`, remarks.map((remark) => escaped(remark)).join(' ')];
  const head = parts.filter((part) => part !== '').map((part) => `${part}\n\n`);
  return { head: head.join(''), items, body: (shown) => shown.join('\n'), more: moreOf(nouns) };
}

function tableSection({ columns, items, nouns }: Table, title = '', ...remarks: string[]): MarkdownSection {
  const rows = items.map((row) => ({ text: () => tableRow(row), weight: row.weight }));
  // A section without items is not shown, so remarks without a table are an item.
  if (rows.length === 0 && remarks.length > 0)
    return listOf([{ text: () => escaped(remarks.join(' ')), weight: 1 }], {}, title);
  const list = listOf(rows, nouns, title, ...remarks);
  return { ...list, head: list.head + tableHead(columns) };
}

type Table = Pick<TableSection, 'columns' | 'items' | 'nouns'>;

/** Returns a table of the zones that change. */
function zoneSection({ title, before, after, items }: ZoneSection): MarkdownSection {
  const changed = items.flatMap(({ zones }) => zones.filter(({ countries }) => countries.some(hasChange)));
  const columns = tableOf(
    changed,
    [
      { name: 'Zone', cell: ({ zone }) => ({ name: zone }) },
      { name: before, isNumber: true, cell: (zone) => zone.before },
      { name: after, isNumber: true, cell: (zone) => zone.after },
      { name: 'Change', isNumber: true, cell: (zone) => ({ change: zone.after - zone.before }) },
      { name: 'Countries that change', cell: (zone) => countryWords(zone, plainStyle).join(' ') },
    ],
    (zone) => Math.abs(zone.after - zone.before),
  );
  const table = { ...columns, nouns: { item: 'zone' } };
  if (changed.length <= fewZones) return tableSection(table, title);
  return { ...tableSection(table), folded: `${title}: ${counted(changed.length, 'zone')} that change` };
}

const fewZones = 30;

/** Returns a block with the signs that the language `diff` colors. */
function changeSection({ title, isDrift, items: resources }: ChangeSection): MarkdownSection {
  const items = resources.flatMap((resource) => changeItems(resource, isDrift));
  return { ...listOf(items, { item: 'change' }, title), body: (lines) => fenced(isDrift ? 'text' : 'diff', lines) };
}

function ipSection(section: IpSection): MarkdownSection {
  const { title, items: moves } = section;
  const groups = byPair(moves).flatMap((pair) => [...Map.groupBy(pair.items, ({ fate, why }) => fate ?? why).values()]);
  const list = listOf(
    groups.flatMap((group) => ipItems(group, section)),
    { weight: 'IP' },
  );
  return { ...list, body: (lines) => fenced('text', lines), folded: title };
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
