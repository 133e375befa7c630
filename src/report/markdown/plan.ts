/** The sections of a plan in Markdown: problems, moves, zones before and after, settings, details. */

import { counted, does, formatNumber, shorten } from '../../base/diagnostics/valueWords.ts';
import { type ResourceId, type ResourcePlan, resourceTitle } from '../../engine/plan/plan.ts';
import type { Call } from '../../kinds/call.ts';
import { callWords, type PlanMode } from '../../kinds/callWords.ts';
import type { Move } from '../../kinds/move.ts';
import { describeCall } from '../../kinds/shownCalls.ts';
import { pairsOf, reasonsOf } from '../model/differences.ts';
import { type Remarks, remarksOf } from '../model/remarks.ts';
import type { PlanReport } from '../model/report.ts';
import { type ZoneChange, zoneChanges } from '../model/zoneChanges.ts';
import { movesOfAll, placeOfCalls, plannedRows } from '../text/callRows.ts';
import { table } from '../text/layout.ts';
import { listed } from '../text/style.ts';
import type { MarkdownItem, MarkdownSection } from './budget.ts';
import { code, escaped } from './markup.ts';
import { blockSection, ipItems, listSection, plain, problemList, type TableRow, tableSection } from './parts.ts';

export function planSections(report: PlanReport): MarkdownSection[] {
  const { resources } = report.plan;
  const words = modeWords[report.mode];
  const remarks = remarksOf(report);
  return [
    ...problemList(remarks.problems),
    ...problemList(remarks.warnings, '#### Warnings'),
    ...causeSection(remarks),
    ...moveSection(resources, words),
    ...zoneSection(resources, words),
    ...settingSection(resources, words),
    ...ipSection(resources, words),
    ...noteSection(remarks),
  ];
}

interface ModeWords {
  moves: string;
  to: string;
  from: string;
  before: string;
  after: string;
  /** False for drift, which shows neither calls nor charges. */
  hasCalls: boolean;
}

const planned = { to: 'To', from: 'From', before: 'Before', after: 'After', hasCalls: true };

const modeWords: Record<PlanMode, ModeWords> = {
  plan: { moves: 'Moves', ...planned },
  destroy: { moves: 'Releases', ...planned },
  undo: { moves: 'Moves back', ...planned },
  drift: {
    moves: 'IPs in other zones than declared',
    to: 'Declared in',
    from: 'Is in',
    before: 'Live',
    after: 'As declared',
    hasCalls: false,
  },
};

/** Sets the path of a difference in code, and the applied value behind it in words. */
function pathWords(item: string): string {
  const [path, ...applied] = item.split(/ (?=\(applied: )/);
  return [code(path ?? ''), ...applied.map((words) => escaped(words))].join(' ');
}

/** Returns a table of the causes, and the line about a missing baseline. */
function causeSection({ causes, baseline }: Remarks): MarkdownSection[] {
  const rows = causes.map(({ title, label, items, remark }): TableRow => {
    const more = remark === undefined ? [] : [`(${escaped(remark)})`];
    const cells = () => [code(title), label, [...listed(items.map(pathWords), plain), ...more].join(' ')];
    return { cells, weight: items.length };
  });
  const columns = [{ name: 'Resource' }, { name: 'Cause' }, { name: 'Differences' }];
  const withoutBaseline = baseline === undefined ? [] : listSection('', [{ text: () => baseline, weight: 1 }], {});
  return [...withoutBaseline, ...tableSection('#### Causes', columns, rows, { item: 'row', weight: 'difference' })];
}

function moveSection(resources: readonly ResourcePlan[], words: ModeWords): MarkdownSection[] {
  const withMoves = resources.filter(({ calls }) => movesOfAll(calls).length > 0);
  const isOne = withMoves.length === 1;
  const columns = [
    ...(isOne ? [] : [{ name: 'Allocation' }]),
    { name: words.from },
    { name: words.to },
    { name: 'IPs', isNumber: true },
    ...(words.hasCalls ? [{ name: 'Calls', isNumber: true }] : []),
    { name: 'Countries' },
    { name: 'Reason' },
  ];
  const rows = withMoves.flatMap((resource) =>
    moveRows(resource.calls, words).map(({ cells, weight }) => ({
      cells: () => [...(isOne ? [] : [named(resource)]), ...cells()],
      weight,
    })),
  );
  const remark = remarkOn(withMoves, words);
  const title = [`#### ${words.moves}`, ...(remark === '' ? [] : [remark])].join('\n\n');
  return tableSection(title, columns, rows, { item: 'pair', weight: 'IP' });
}

/** Counts released and surplus IPs, since a long table may not show all of them. */
function remarkOn(resources: readonly ResourcePlan[], { hasCalls }: ModeWords): string {
  const moves = resources.flatMap(({ calls }) => movesOfAll(calls));
  const { released = 0, surplus = 0 } = Object.fromEntries(reasonsOf(moves));
  const sentences = [
    ...(hasCalls ? ['Each call may incur charges.'] : []),
    ...(released > 0 ? [`${does(released, 'IP', 'is', 'are')} released: no longer declared.`] : []),
    ...(surplus > 0 ? [`${does(surplus, 'IP', 'exceeds', 'exceed')} a count.`] : []),
  ];
  return sentences.join(' ');
}

function moveRows(calls: readonly Call[], { hasCalls }: ModeWords): TableRow[] {
  return pairsOf(calls).map(({ from, to, moves, calls: count }) => {
    const counts = hasCalls ? [moves.length, count] : [moves.length];
    const cells = () => [code(from), code(to), ...counts.map(formatNumber), countryTally(moves), reasonWords(moves)];
    return { cells, weight: moves.length };
  });
}

function reasonWords(moves: readonly Move[]): string {
  const reasons = [...reasonsOf(moves)];
  return reasons
    .map(([reason, count]) => (reasons.length === 1 ? whys[reason] : `${count} ${whys[reason]}`))
    .join(', ');
}

function countryTally(moves: readonly Move[]): string {
  const groups = [...Map.groupBy(moves, ({ country }) => country)].sort(([, a], [, b]) => b.length - a.length);
  const names = groups.map(([country, its]) => {
    const name = escaped(country || 'unknown', longestCountry);
    return groups.length === 1 ? name : `${name} ${formatNumber(its.length)}`;
  });
  return listed(names, plain).join(' ');
}

const whys = {
  declared: 'declared by address',
  count: 'to fill a count',
  surplus: '**surplus**: exceeds a count',
  released: '**released**: no longer declared',
} as const;

/** Returns a table of the zones that change. */
function zoneSection(resources: readonly ResourcePlan[], words: ModeWords): MarkdownSection[] {
  const columns = [
    { name: 'Zone' },
    { name: words.before, isNumber: true },
    { name: words.after, isNumber: true },
    { name: 'Change', isNumber: true },
    { name: 'Countries that change' },
  ];
  const rows = resources.flatMap((resource) => zoneChanges(resource).map(zoneRow));
  const isLong = rows.length > fewZones;
  const folded = isLong ? `Allocation by zone: ${counted(rows.length, 'zone')} that change` : undefined;
  return tableSection(isLong ? '' : '#### Allocation by zone', columns, rows, { item: 'zone' }, folded);
}

const fewZones = 30;
/** A country should have two letters, so longer values of the service are cut. */
const longestCountry = 20;

function zoneRow({ zone, before, after, countries }: ZoneChange): TableRow {
  const numbers = [formatNumber(before), formatNumber(after), signed(after - before)];
  return { cells: () => [code(zone), ...numbers, countryWords(countries)], weight: Math.abs(after - before) };
}

function countryWords(countries: ZoneChange['countries']): string {
  const changes = countries.map(({ country, before, after }) => {
    return `${escaped(country || 'unknown', longestCountry)} ${formatNumber(before)} → ${formatNumber(after)}`;
  });
  return listed(changes, plain).join(' ');
}

function signed(change: number): string {
  return change > 0 ? `+${formatNumber(change)}` : formatNumber(change).replace('-', '−');
}

function settingSection(resources: readonly ResourcePlan[], { hasCalls }: ModeWords): MarkdownSection[] {
  const mode = hasCalls ? 'plan' : 'drift';
  const items = resources.flatMap((resource) => settingItems(resource, mode));
  const all = resources.flatMap(({ calls }) => settingCalls(calls));
  const titles = new Set(all.map((call) => callWords.of(call).section.title));
  return blockSection(`#### ${[...titles].join(', ')}`, hasCalls ? 'diff' : 'text', items, { item: 'change' });
}

/** Returns the calls that change properties and move no IPs. */
function settingCalls(calls: readonly Call[]): Call[] {
  return calls.filter((call) => describeCall(call).flow === undefined);
}

/** Returns changes with the signs that a `diff` block colors. The first line names the resource. */
function settingItems(resource: ResourcePlan, mode: PlanMode): MarkdownItem[] {
  const calls = settingCalls(resource.calls);
  if (calls.length === 0) return [];
  const lines = table(plannedRows({ ...resource, calls }, plain, { mode }), 0, Number.MAX_SAFE_INTEGER);
  const head = `@@ ${shorten(`${resourceTitle(resource)}  ${placeOfCalls(calls)}`, longestLine)} @@\n`;
  return lines.map((line, index) => ({
    text: () => (index === 0 ? head : '') + shorten(line.replace(/^~/, '!'), longestLine),
    weight: 1,
  }));
}

const longestLine = 300;

function ipSection(resources: readonly ResourcePlan[], { hasCalls }: ModeWords): MarkdownSection[] {
  const items = resources.flatMap(({ calls }) => calls.flatMap((call) => ipItems(call, undefined, !hasCalls)));
  return blockSection('', 'text', items, { weight: 'IP' }, hasCalls ? 'Every IP, call by call' : 'Every IP');
}

function noteSection({ notes }: Remarks): MarkdownSection[] {
  const items = notes.map(({ title, text, ips }) => {
    const list = ips.length > 0 ? `: ${code(listed(ips, plain).join(' '))}` : '';
    return { text: () => `- ${code(title)}: ${escaped(text)}${list}`, weight: 1 };
  });
  return listSection('', items, { item: 'note' }, counted(items.length, 'note'));
}

function named(resource: ResourceId): string {
  return code(resourceTitle(resource));
}
