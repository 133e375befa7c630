/** The sections of a run in Markdown: problems, calls not done, calls done, details. */

import { shorten } from '../../base/diagnostics/valueWords.ts';
import { resourceTitle } from '../../engine/plan/plan.ts';
import type { JournaledCall } from '../../engine/run/journal.ts';
import type { ResourceResult } from '../../engine/run/outcome.ts';
import { outcomeOf } from '../../kinds/knownCalls.ts';
import { outcomeTitles, remarksOf } from '../model/remarks.ts';
import type { RunReport } from '../model/report.ts';
import { groupsOf, isSamePair } from '../text/callRows.ts';
import type { TextRow } from '../text/layout.ts';
import { madeRows, notMadeRows, outcomeWords, tellsEachIp } from '../text/outcomes.ts';
import { consecutive } from '../text/style.ts';
import type { MarkdownSection } from './budget.ts';
import { code, escaped, longestName } from './markup.ts';
import { blockSection, ipItems, plain, problemList, type TableRow, tableSection } from './parts.ts';

export function runSections(report: RunReport): MarkdownSection[] {
  const { resources } = report.result;
  const columns = [{ name: 'Resource' }, { name: 'Call' }, { name: 'Outcome' }];
  const nouns = { weight: 'call' };
  return [
    ...problemList(remarksOf(report).problems),
    ...tableSection('#### Not done', columns, resources.flatMap(notDoneRows), nouns),
    ...tableSection('#### Done', columns, resources.flatMap(doneRows), nouns),
    ...ipSection(resources),
  ];
}

function isDone(journaled: JournaledCall): boolean {
  return ['done', 'accepted'].includes(outcomeOf(journaled));
}

function notDoneRows(resource: ResourceResult): TableRow[] {
  const { outcome, made, notMade } = resource;
  if (['failed', 'skipped'].includes(outcome) && made.length + notMade.length === 0) {
    const words = outcome === 'skipped' ? outcomeTitles.skipped : 'failed, no calls made';
    return [{ cells: () => [named(resource), '', words], weight: 0 }];
  }
  const bad = made.filter((journaled) => !isDone(journaled));
  return [
    ...bad.map((journaled) => rowOf(resource, () => madeRows([journaled], plain), 1)),
    ...groupsOf(notMade, plain).map((group) => rowOf(resource, () => notMadeRows(group, plain), group.length)),
  ];
}

function doneRows(resource: ResourceResult): TableRow[] {
  const groups = consecutive(resource.made.filter(isDone), isAlike);
  return groups.map((group) => rowOf(resource, () => madeRows(group, plain), group.length));
}

/** Reports whether the two calls can share a row. */
function isAlike(a: JournaledCall, b: JournaledCall): boolean {
  return isSamePair(a.call, b.call) && outcomeOf(a) === outcomeOf(b) && !tellsEachIp(a) && !tellsEachIp(b);
}

/** Returns a row for several similar calls. */
function rowOf(resource: ResourceResult, rows: () => readonly TextRow[], calls: number): TableRow {
  const cells = () => rows().flatMap((row) => [named(resource), callText(row.cells), escaped(row.words.join(' '))]);
  return { cells, weight: calls };
}

function callText(cells: readonly string[]): string {
  return code(cells.map((text) => shorten(text, longestName)).join(' '), 3 * longestName);
}

function ipSection(resources: readonly ResourceResult[]): MarkdownSection[] {
  const items = resources.flatMap(({ made, notMade }) => [
    ...made.flatMap((journaled) => ipItems(journaled.call, () => `  ${outcomeWords(journaled, plain)}`)),
    ...notMade.flatMap((call) => ipItems(call, () => '  not sent')),
  ]);
  return blockSection('', 'text', items, { weight: 'IP' }, 'Every IP, call by call');
}

function named(resource: ResourceResult): string {
  return code(resourceTitle(resource));
}
