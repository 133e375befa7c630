/** The outcomes of calls, for the sections of a run. */
import { resourceTitle } from '../../engine/plan/plan.ts';
import type { JournaledCall } from '../../engine/run/journal.ts';
import type { ResourceResult } from '../../engine/run/outcome.ts';
import { outcomeOf } from '../../kinds/knownCalls.ts';
import { groupsOf } from '../text/callRows.ts';
import type { TextRow } from '../text/layout.ts';
import { groupsOfMade, madeRows, notMadeRows } from '../text/outcomes.ts';
import type { Style } from '../text/style.ts';
import { outcomeStates } from './remarks.ts';
import type { SectionRow, TableSection } from './sectionTypes.ts';

/** Returns a table of the resources, one of what was not done, and one of what was. */
export function resultSections(resources: readonly ResourceResult[], style: Style): TableSection[] {
  const columns = [{ name: 'Resource' }, { name: 'Call' }, { name: 'Outcome' }];
  const common = { is: 'table' as const, columns, nouns: { weight: 'call' } };
  const done = resources.flatMap((each) => rowsOfMade(each, each.made.filter(isDone), style));
  return [
    resourceTable(resources),
    { ...common, id: 'not-done', title: 'Not done', items: resources.flatMap((each) => notDoneRows(each, style)) },
    { ...common, id: 'done', title: 'Done', items: done },
  ];
}

function resourceTable(resources: readonly ResourceResult[]): TableSection {
  const columns = [
    { name: 'Resource' },
    { name: 'State' },
    { name: 'Calls sent', isNumber: true },
    { name: 'Not sent', isNumber: true },
  ];
  const items = resources.map((resource): SectionRow => {
    const { outcome, made, notMade } = resource;
    const name = { name: resourceTitle(resource) };
    return { cells: () => [name, outcomeStates[outcome], made.length, notMade.length], weight: 1 };
  });
  return {
    is: 'table',
    id: 'resources',
    title: 'Resources',
    isDetail: true,
    columns,
    items,
    nouns: { item: 'resource' },
  };
}

function isDone(journaled: JournaledCall): boolean {
  return ['done', 'accepted'].includes(outcomeOf(journaled));
}

function notDoneRows(resource: ResourceResult, style: Style): SectionRow[] {
  const { outcome, made, notMade } = resource;
  const hasCalls = made.length + notMade.length > 0;
  const whole = (words: string): SectionRow => ({
    cells: () => [{ name: resourceTitle(resource) }, '', words],
    weight: 0,
  });
  return [
    ...(outcome === 'skipped' ? [whole(outcomeStates.skipped.words)] : []),
    ...(outcome === 'failed' && !hasCalls ? [whole(`${outcomeStates.failed.words}, no calls made`)] : []),
    ...rowsOfMade(
      resource,
      made.filter((journaled) => !isDone(journaled)),
      style,
    ),
    ...groupsOf(notMade, style).map((group) => rowOf(resource, () => notMadeRows(group, style), group.length)),
  ];
}

function rowsOfMade(resource: ResourceResult, made: readonly JournaledCall[], style: Style): SectionRow[] {
  return groupsOfMade(made, style).map((group) => rowOf(resource, () => madeRows(group, style), group.length));
}

/** Returns the row of similar calls. In a terminal, a word with two leading spaces starts a new part. */
function rowOf(resource: ResourceResult, rows: () => readonly TextRow[], calls: number): SectionRow {
  const cells = () => {
    const [{ cells: call, words } = { cells: [], words: [] }] = rows();
    return [{ name: resourceTitle(resource) }, { name: call.join(' ') }, words.join(' ').replaceAll('   ', ': ')];
  };
  return { cells, weight: calls };
}
