/**
 * The sections of a report below its summary: what people are shown, in which order and in which words. They are decided here once, and Markdown and
 * HTML only draw them.
 */

import { byLocation } from '../../base/diagnostics/problem.ts';
import { does, formatNumber } from '../../base/diagnostics/valueWords.ts';
import { resourceTitle } from '../../engine/doors/plan.ts';
import type { PlanMode } from '../../kinds/seam/callWords.ts';
import type { Move } from '../../kinds/seam/move.ts';
import { reasonsOf } from './calls.ts';
import { type CauseGroup, comparisonRemarks } from './causes.ts';
import { changedResources } from './changedResources.ts';
import { costOf, costWords } from './cost.ts';
import { isCarriedOut, type TracedMove, tracedMoves, zonePairs } from './moves.ts';
import { type PlanReport, problemsIn, type Report, warningsIn } from './report.ts';
import { type ReportedResource, reportedResources } from './resources.ts';
import { resultSections } from './resultSections.ts';
import type { ChangeSection, Section, TableSection } from './sectionTypes.ts';
import { listed, type Style } from './style.ts';
import { tableOf } from './tables.ts';
import { countryName, reportedZones } from './zones.ts';

/** Returns the sections that have content. */
export function sectionsOf(report: Report, style: Style): Section[] {
  const isRun = report.about === 'run';
  const resources = reportedResources(report, style);
  const words = modeWords[modeOf(report)];
  const { isDrift } = words;
  const moves = tracedMoves(report);
  const moved = isRun ? moves.filter(isCarriedOut) : undefined;
  const zones = {
    before: 'Before',
    after: isRun ? 'Known now' : 'After',
    items: resources
      .map((resource) => ({ title: resourceTitle(resource), zones: reportedZones(resource.inventory, moved) }))
      .filter((each) => each.zones.length > 0),
  };
  const notes = resources.flatMap((resource) =>
    resource.notes.map((note) => ({ ...note, title: resourceTitle(resource) })),
  );
  const [one, many] = isDrift ? ['is in another zone', 'are in other zones'] : ['moves', 'move'];
  const ipTitle = moves.length === 1 ? `The IP that ${one}` : `All ${formatNumber(moves.length)} IPs that ${many}`;
  const all: Section[] = [
    { is: 'problems', id: 'problems', title: 'Problems', noun: 'problem', items: problemsIn(report).sort(byLocation) },
    { is: 'problems', id: 'warnings', title: 'Warnings', noun: 'warning', items: warningsIn(report).sort(byLocation) },
    causeSection(resources, report, style),
    ...(isRun ? resultSections(resources, style) : []),
    moveSection(report, moves, words, style),
    countSection(resources),
    { is: 'zones', id: 'allocation', title: 'IPs by zone and country', isDetail: isRun, ...zones },
    ...changeSections(resources, words.isDrift, isRun),
    { is: 'notes', id: 'notes', title: 'Notes', isDetail: isRun, items: notes },
    { is: 'ips', id: 'moves', title: ipTitle, isDrift, items: moves },
  ];
  return all.filter(({ items, remarks = [] }) => items.length + remarks.length > 0);
}

interface ModeWords {
  moves: string;
  to: string;
  from: string;
  /** Drift shows neither calls nor charges. */
  isDrift: boolean;
}

const planned = { to: 'To', from: 'From', isDrift: false };

const modeWords: Record<PlanMode, ModeWords> = {
  plan: { moves: 'Moves', ...planned },
  destroy: { moves: 'Releases', ...planned },
  undo: { moves: 'Moves back', ...planned },
  drift: {
    moves: 'IPs in other zones than declared',
    to: 'Declared in',
    from: 'Is in',
    isDrift: true,
  },
};

function modeOf(report: Report): PlanMode {
  if (report.about === 'plan') return report.mode;
  return report.command === 'apply' ? 'plan' : report.command;
}

function causeSection(resources: readonly ReportedResource[], report: Report, style: Style): TableSection {
  const groups = resources.flatMap((resource) =>
    resource.causes.map((group) => ({ ...group, title: resourceTitle(resource) })),
  );
  const words = ({ items, remark }: CauseGroup) =>
    [...listed(items.map(pathWords), style), ...(remark === undefined ? [] : [`(${remark})`])].join(' ');
  const table = tableOf(
    groups,
    [
      { name: 'Resource', cell: ({ title }) => ({ name: title }) },
      { name: 'Cause', cell: ({ label }) => label },
      { name: 'Differences', cell: (group) => words(group) },
    ],
    ({ items }) => items.length,
  );
  return {
    is: 'table',
    id: 'causes',
    title: 'Causes',
    remarks: report.about === 'plan' ? comparisonRemarks(report) : [],
    ...table,
    nouns: { item: 'row', weight: 'difference' },
  };
}

/** Sets the path of a difference in code, and leaves the applied value behind it. */
function pathWords(item: string): string {
  const [path, ...applied] = item.split(/ (?=\(applied: )/);
  return [`\`${path}\``, ...applied].join(' ');
}

function moveSection(report: Report, moves: readonly TracedMove[], words: ModeWords, style: Style): TableSection {
  const isRun = report.about === 'run';
  const pairs = zonePairs(report, moves);
  const isOne = new Set(pairs.map(({ resource }) => resource)).size === 1;
  const hasCalls = !isRun && !words.isDrift;
  const table = tableOf(
    pairs,
    [
      !isOne && { name: 'Allocation', cell: ({ resource = '' }) => ({ name: resource }) },
      { name: words.from, cell: ({ from }) => ({ name: from }) },
      { name: words.to, cell: ({ to }) => ({ name: to }) },
      { name: 'IPs', isNumber: true, cell: ({ moves: its }) => its.length },
      isRun && { name: 'Moved', isNumber: true, cell: ({ moves: its }) => its.filter(isCarriedOut).length },
      hasCalls && { name: 'Calls', isNumber: true, cell: ({ calls = 0 }) => calls },
      { name: 'Countries', cell: ({ moves: its }) => listed(countryTally(its), style).join(' ') },
      !words.isDrift && {
        name: isRun ? 'Outcome' : 'Reason',
        cell: ({ moves: its }) => tally(its.map(({ fate, reason }) => fate ?? reasons[reason])),
      },
    ],
    ({ moves: its }) => its.length,
  );
  const nouns = { item: 'pair', weight: 'IP' };
  const hasRemarks = report.about === 'plan' && hasCalls && moves.length > 0;
  const remarks = hasRemarks ? [chargeRemark(report), ...remarksOnMoves(moves)] : [];
  const sides = words.isDrift ? { before: words.from, after: words.to } : { before: 'Leaves', after: 'Arrives' };
  const chart = { pairs, ...sides };
  return { is: 'table', id: 'flows', title: words.moves, isDetail: isRun, remarks, ...table, nouns, chart };
}

function countSection(resources: readonly ReportedResource[]): TableSection {
  const counts = resources.flatMap((resource) =>
    resource.counts.map((sentence) => ({ title: resourceTitle(resource), sentence })),
  );
  const table = tableOf(counts, [
    { name: 'Allocation', cell: ({ title }) => ({ name: title }) },
    { name: 'Count', cell: ({ sentence }) => sentence },
  ]);
  return { is: 'table', id: 'counts', title: 'Counts that differ', ...table, nouns: { item: 'count' } };
}

function chargeRemark(report: PlanReport): string {
  const cost = costOf(report);
  return cost === undefined
    ? 'Each call may incur charges.'
    : `The moves cost ${costWords(cost)}, by \`prices\` of the declaration.`;
}

/** Counts released and surplus IPs, since a long table may not show all of them. */
function remarksOnMoves(moves: readonly Move[]): string[] {
  const { released = 0, surplus = 0 } = Object.fromEntries(reasonsOf(moves));
  return [
    ...(released > 0 ? [`${does(released, 'IP', 'is', 'are')} released: no longer declared.`] : []),
    ...(surplus > 0 ? [`${does(surplus, 'IP', 'exceeds', 'exceed')} a count.`] : []),
  ];
}

const reasons = {
  declared: 'declared by address',
  count: 'to fill a count',
  surplus: '`surplus`: exceeds a count',
  released: '`released`: no longer declared',
} as const;

/** Counts words: `2 moved, 1 stayed`. Returns a single word without its count. */
function tally(words: readonly string[]): string {
  const groups = bySize(words);
  return groups.map(([word, count]) => (groups.length === 1 ? word : `${formatNumber(count)} ${word}`)).join(', ');
}

function countryTally(moves: readonly Move[]): string[] {
  const groups = bySize(moves.map(({ country }) => countryName(country)));
  return groups.map(([country, count]) => (groups.length === 1 ? country : `${country} ${formatNumber(count)}`));
}

/** Counts equal words, the most frequent first. */
function bySize(words: readonly string[]): [string, number][] {
  const counts = [...Map.groupBy(words, (word) => word)].map(([word, its]): [string, number] => [word, its.length]);
  return counts.sort(([, a], [, b]) => b - a);
}

/** Returns a section for each kind of thing that calls change. */
function changeSections(resources: readonly ReportedResource[], isDrift: boolean, isRun: boolean): ChangeSection[] {
  const groups = Map.groupBy(changedResources(resources), ({ section }) => section.id);
  return [...groups].map(([id, items]) => {
    const title = items[0]?.section.title ?? '';
    return { is: 'changes', id, title, isDetail: isRun, isDrift, items };
  });
}
