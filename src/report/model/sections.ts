/**
 * The sections of a report below its summary: what people are shown, in which order and in which words. They are decided here once, and Markdown and
 * HTML only draw them.
 */

import { byLocation } from '../../base/diagnostics/problem.ts';
import { does, formatNumber } from '../../base/diagnostics/valueWords.ts';
import { resourceTitle } from '../../engine/doors/plan.ts';
import type { PlanMode } from '../../kinds/seam/callWords.ts';
import type { Move } from '../../kinds/seam/move.ts';
import { causeSentence, comparisonRemarks, countCauses } from './causes.ts';
import { changedResources } from './changedResources.ts';
import { costOf, costWords } from './cost.ts';
import { countedIps } from './differences.ts';
import { isCarriedOut, type TracedMove, tracedMoves, zonePairs } from './moves.ts';
import { type PlanReport, problemsIn, type Report, warningsIn } from './report.ts';
import { type ReportedResource, reportedResources } from './resources.ts';
import { resultSections } from './resultSections.ts';
import type { ChangeSection, Section, TableSection } from './sectionTypes.ts';
import { listed, type Style } from './style.ts';
import { tableOf } from './tables.ts';
import { bySize, tally } from './tally.ts';
import { whySentence } from './whys.ts';
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
  const causes = causeSections(resources, report);
  const all: Section[] = [
    { is: 'problems', id: 'problems', title: 'Problems', noun: 'problem', items: problemsIn(report).sort(byLocation) },
    { is: 'problems', id: 'warnings', title: 'Warnings', noun: 'warning', items: warningsIn(report).sort(byLocation) },
    ...(isDrift ? causes : []),
    ...(isRun ? resultSections(resources, style) : []),
    moveSection(report, moves, words, style),
    countSection(resources),
    ...changeSections(resources, words.isDrift, isRun),
    // The change comes first in a review. What it does not explain follows, folded.
    ...(isDrift ? [] : causes),
    { is: 'zones', id: 'allocation', title: 'IPs by zone and country', isDetail: isRun, ...zones },
    { is: 'notes', id: 'notes', title: 'Notes', isDetail: isRun, items: notes },
    { is: 'ips', id: 'moves', title: ipTitle, isDrift, hasWhys: words.hasWhys, items: moves },
  ];
  return all.filter(({ items, remarks = [] }) => items.length + remarks.length > 0);
}

interface ModeWords {
  moves: string;
  to: string;
  from: string;
  /** Drift shows neither calls nor charges. */
  isDrift: boolean;
  /** Only a plan of the declaration has moves of different reasons. */
  hasWhys: boolean;
}

const planned = { to: 'To', from: 'From', isDrift: false, hasWhys: false };

const modeWords: Record<PlanMode, ModeWords> = {
  plan: { moves: 'Moves', ...planned, hasWhys: true },
  destroy: { moves: 'Releases', ...planned },
  undo: { moves: 'Moves back', ...planned },
  drift: {
    moves: 'IPs in other zones than declared',
    to: 'Declared in',
    from: 'Is in',
    isDrift: true,
    hasWhys: false,
  },
};

function modeOf(report: Report): PlanMode {
  if (report.about === 'plan') return report.mode;
  return report.command === 'apply' ? 'plan' : report.command;
}

function causeSections(resources: readonly ReportedResource[], report: Report): TableSection[] {
  if (report.about === 'run') return [];
  const differences = resources.flatMap((resource) =>
    resource.causes.flatMap(({ items, ...group }) =>
      items.map((item) => ({ ...group, item, title: resourceTitle(resource) })),
    ),
  );
  const table = tableOf(differences, [
    { name: 'Cause', cell: ({ label }) => label },
    { name: 'Difference', cell: ({ item, remark }) => (remark === undefined ? item : `${item} (${remark})`) },
    { name: 'Resource', cell: ({ title }) => ({ name: title }) },
  ]);
  const counts = causeSentence(countCauses(report.plan, report.mode));
  return [
    {
      is: 'table',
      id: 'causes',
      title: 'Causes',
      ...(report.mode === 'plan' && differences.length > 0 && { folded: `Causes: ${counts}` }),
      remarks: comparisonRemarks(report),
      ...table,
      nouns: { item: 'difference' },
    },
  ];
}

function moveSection(report: Report, moves: readonly TracedMove[], words: ModeWords, style: Style): TableSection {
  const isRun = report.about === 'run';
  const pairs = zonePairs(moves);
  const isOne = new Set(pairs.map(({ resource }) => resource)).size === 1;
  const hasCalls = !isRun && !words.isDrift;
  const table = tableOf(
    pairs,
    [
      !isOne && { name: 'Allocation', cell: ({ resource = '' }) => ({ name: resource }) },
      { name: words.from, cell: ({ from }) => ({ name: from }) },
      { name: words.to, cell: ({ to }) => ({ name: to }) },
      { name: 'IPs', isNumber: true, cell: ({ moves: flowMoves }) => flowMoves.length },
      hasCalls && words.hasWhys && { name: 'Why', cell: ({ moves: flowMoves }) => flowMoves[0]?.why ?? '' },
      isRun && { name: 'Moved', isNumber: true, cell: ({ moves: flowMoves }) => flowMoves.filter(isCarriedOut).length },
      { name: 'Countries', cell: ({ moves: flowMoves }) => listed(countryTally(flowMoves), style).join(' ') },
      isRun && {
        name: 'Outcome',
        cell: ({ moves: flowMoves }) => tally(flowMoves.map(({ fate = 'unknown' }) => fate)),
      },
    ],
    ({ moves: flowMoves }) => flowMoves.length,
  );
  const nouns = { item: 'pair', weight: 'IP' };
  const hasRemarks = report.about === 'plan' && hasCalls && moves.length > 0;
  const whose = report.about === 'plan' ? whySentence(report.plan) : '';
  const remarks = hasRemarks ? [...(whose === '' ? [] : [whose]), chargeRemark(report), ...remarksOnMoves(moves)] : [];
  const sides = words.isDrift ? { before: words.from, after: words.to } : { before: 'Leaves', after: 'Arrives' };
  const chart = { pairs, ...sides };
  return { is: 'table', id: 'flows', title: words.moves, isDetail: isRun, remarks, ...table, nouns, chart };
}

function countSection(resources: readonly ReportedResource[]): TableSection {
  const counts = resources.flatMap((resource) =>
    resource.counts.map((count) => ({ ...count, title: resourceTitle(resource) })),
  );
  const table = tableOf(counts, [
    new Set(counts.map(({ title }) => title)).size > 1 && {
      name: 'Allocation',
      cell: ({ title }) => ({ name: title }),
    },
    { name: 'Zone', cell: ({ zone }) => ({ name: zone }) },
    { name: 'IPs', cell: (count) => countedIps(count) },
    { name: 'Live', isNumber: true, cell: ({ live }) => live },
    { name: 'Declared', isNumber: true, cell: ({ declared }) => declared },
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
  const [released, surplus] = (['released', 'surplus'] as const).map(
    (each) => moves.filter(({ reason }) => reason === each).length,
  ) as [number, number];
  return [
    ...(released > 0 ? [`${does(released, 'IP', 'is', 'are')} released: no longer declared.`] : []),
    ...(surplus > 0 ? [`${does(surplus, 'IP', 'exceeds', 'exceed')} a count.`] : []),
  ];
}

function countryTally(moves: readonly Move[]): string[] {
  const groups = bySize(moves.map(({ country }) => countryName(country)));
  return groups.map(([country, count]) => (groups.length === 1 ? country : `${country} ${formatNumber(count)}`));
}

/** Returns a section for each kind of thing that calls change. */
function changeSections(resources: readonly ReportedResource[], isDrift: boolean, isRun: boolean): ChangeSection[] {
  const groups = Map.groupBy(changedResources(resources), ({ section }) => section.id);
  return [...groups].map(([id, items]) => {
    const title = items[0]?.section.title ?? '';
    return { is: 'changes', id, title, isDetail: isRun, isDrift, items };
  });
}
