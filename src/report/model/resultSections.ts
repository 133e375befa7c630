/** The tables of a run: its resources, what was not done, and what was. */
import { resourceTitle } from '../../engine/doors/plan.ts';
import { groupsOf, type ReportedCall } from './calls.ts';
import type { ReportedResource } from './resources.ts';
import { outcomeStates, resultRow } from './results.ts';
import type { TableSection } from './sectionTypes.ts';
import type { Style } from './style.ts';
import { type SectionRow, tableOf } from './tables.ts';

export function resultSections(resources: readonly ReportedResource[], style: Style): TableSection[] {
  const columns = [{ name: 'Resource' }, { name: 'Call' }, { name: 'Outcome' }];
  const common = { is: 'table' as const, columns, nouns: { weight: 'call' } };
  const rows = (resource: ReportedResource, isShown: (call: ReportedCall) => boolean) =>
    groupsOf(resource.calls.filter(isShown), style).map((group) => callRow(resource, group, style));
  const notDone = resources.flatMap((each) => [...unsentRow(each), ...rows(each, (call) => !isDone(call))]);
  return [
    resourceTable(resources),
    { ...common, id: 'not-done', title: 'Not done', items: notDone },
    { ...common, id: 'done', title: 'Done', items: resources.flatMap((each) => rows(each, isDone)) },
  ];
}

function isDone({ result }: ReportedCall): boolean {
  return result?.outcome === 'done' || result?.outcome === 'accepted';
}

function callRow(resource: ReportedResource, group: readonly ReportedCall[], style: Style): SectionRow {
  const cells = () => {
    const { cells: call, words, contents } = resultRow(group, style);
    const outcome = contents.length > 0 ? `${words}: ${contents.join(' ')}` : words;
    return [{ name: resourceTitle(resource) }, { name: call.join(' ') }, outcome];
  };
  return { cells, weight: group.length };
}

/** Returns the row of a resource that was skipped, or failed before its first call. */
function unsentRow(resource: ReportedResource): SectionRow[] {
  const { outcome = 'nothing', calls } = resource;
  const { words } = outcomeStates[outcome];
  const row = (text: string) => [{ cells: () => [{ name: resourceTitle(resource) }, '', text], weight: 0 }];
  if (outcome === 'skipped') return row(words);
  return outcome === 'failed' && calls.length === 0 ? row(`${words}, no calls made`) : [];
}

function resourceTable(resources: readonly ReportedResource[]): TableSection {
  const unsent = ({ calls }: ReportedResource) => calls.filter(({ result }) => result?.outcome === 'not sent').length;
  const table = tableOf(resources, [
    { name: 'Resource', cell: (resource) => ({ name: resourceTitle(resource) }) },
    { name: 'State', cell: ({ outcome = 'nothing' }) => outcomeStates[outcome] },
    { name: 'Calls sent', isNumber: true, cell: (resource) => resource.calls.length - unsent(resource) },
    { name: 'Not sent', isNumber: true, cell: unsent },
  ]);
  return { is: 'table', id: 'resources', title: 'Resources', isDetail: true, ...table, nouns: { item: 'resource' } };
}
