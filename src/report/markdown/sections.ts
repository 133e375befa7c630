/** The sections of a report in Markdown. What needs much room is folded. */

import { counted, shorten } from '../../base/diagnostics/valueWords.ts';
import { placeOfCalls } from '../model/calls.ts';
import type { ChangedResource } from '../model/changedResources.ts';
import { byPair } from '../model/differences.ts';
import type { Report } from '../model/report.ts';
import { sectionsOf } from '../model/sections.ts';
import type {
  ChangeSection,
  IpSection,
  NoteSection,
  Section,
  TableSection,
  ZoneSection,
} from '../model/sectionTypes.ts';
import { tableOf } from '../model/tables.ts';
import { countryWords, hasChange } from '../model/zones.ts';
import { plannedRows } from '../text/callRows.ts';
import { table } from '../text/layout.ts';
import { listed, plainStyle } from '../text/style.ts';
import type { MarkdownItem, MarkdownSection } from './budget.ts';
import { code, escaped } from './markup.ts';
import { blockSection, ipItems, listSection, problemItems, tableSection } from './parts.ts';

export function markdownSections(report: Report): MarkdownSection[] {
  return sectionsOf(report, plainStyle)
    .filter(({ isDetail }) => !isDetail)
    .flatMap(drawn);
}

function drawn(section: Section): MarkdownSection[] {
  switch (section.is) {
    case 'problems':
      return listSection(section.title, problemItems(section.items), { item: 'problem' });
    case 'table':
      return rowSection(section);
    case 'zones':
      return zoneSection(section);
    case 'changes':
      return changeSection(section);
    case 'notes':
      return noteSection(section);
    case 'ips':
      return ipSection(section);
  }
}

function rowSection({ title, remarks = [], columns, items, nouns }: TableSection): MarkdownSection[] {
  const remark = remarks.map((each) => escaped(each)).join(' ');
  if (items.length === 0) return listSection(title, [{ text: () => remark, weight: 1 }], {});
  return tableSection([title, remark], columns, items, nouns);
}

/** Returns a table of the zones that change. */
function zoneSection({ title, before, after, items }: ZoneSection): MarkdownSection[] {
  const changed = items.flatMap(({ zones }) => zones.filter(({ countries }) => countries.some(hasChange)));
  const { columns, items: rows } = tableOf(
    changed,
    [
      { name: 'Zone', cell: ({ zone }) => ({ name: zone }) },
      { name: before, isNumber: true, cell: (zone) => zone.before },
      { name: after, isNumber: true, cell: (zone) => zone.after },
      { name: 'Change', isNumber: true, cell: (zone) => ({ change: zone.after - zone.before }) },
      { name: 'Countries that change', cell: (zone) => countryWords(zone, false, plainStyle).join(' ') },
    ],
    (zone) => Math.abs(zone.after - zone.before),
  );
  const isLong = rows.length > fewZones;
  const folded = isLong ? `${title}: ${counted(rows.length, 'zone')} that change` : undefined;
  return tableSection(isLong ? [] : [title], columns, rows, { item: 'zone' }, folded);
}

const fewZones = 30;

function changeSection({ title, isDrift, items: resources }: ChangeSection): MarkdownSection[] {
  const items = resources.flatMap((resource) => changeItems(resource, isDrift));
  return blockSection(title, isDrift ? 'text' : 'diff', items, { item: 'change' });
}

const longestLine = 300;

/** Returns changes with the signs that a `diff` block colors. The first line names the resource. */
function changeItems({ title, calls, planned }: ChangedResource, isDrift: boolean) {
  const rows = plannedRows({ calls, changes: planned }, plainStyle, { mode: isDrift ? 'drift' : 'plan' });
  const head = `@@ ${shorten(`${title}  ${placeOfCalls(calls) ?? ''}`.trimEnd(), longestLine)} @@\n`;
  return table(rows, 0, Number.MAX_SAFE_INTEGER).map(
    (line, index): MarkdownItem => ({
      text: () => (index === 0 ? head : '') + shorten(line.replace(/^~/, '!'), longestLine),
      weight: 1,
    }),
  );
}

function noteSection({ items: notes }: NoteSection): MarkdownSection[] {
  const items = notes.map(({ title, text, ips }) => {
    const list = ips.length > 0 ? `: ${code(listed(ips, plainStyle).join(' '))}` : '';
    return { text: () => `- ${code(title)}: ${escaped(text)}${list}`, weight: 1 };
  });
  return listSection('', items, { item: 'note' }, counted(items.length, 'note'));
}

function ipSection({ title, items: moves, isDrift }: IpSection): MarkdownSection[] {
  const groups = byPair(moves).flatMap((pair) => [...Map.groupBy(pair.items, ({ fate }) => fate).values()]);
  const items = groups.flatMap((group) => ipItems(group, isDrift));
  return blockSection('', 'text', items, { weight: 'IP' }, title);
}
