/** The calls of a run and their outcomes in words, for every format that people read. */
import { counted } from '../../base/diagnostics/valueWords.ts';
import { resourceTitle } from '../../engine/plan/plan.ts';
import type { JournaledCall } from '../../engine/run/journal.ts';
import type { ResourceResult } from '../../engine/run/outcome.ts';
import type { Call, CallOutcome, Seen } from '../../kinds/call.ts';
import { callWords } from '../../kinds/callWords.ts';
import { outcomeOf } from '../../kinds/knownCalls.ts';
import { describeCall } from '../../kinds/shownCalls.ts';
import { listed, type Style } from '../text/style.ts';
import { callCells, contentWords, groupsOf } from './calls.ts';
import type { ReportState, SectionRow, TableSection } from './sectionTypes.ts';

/** The states of the resources of a run. */
export const outcomeStates: Record<ResourceResult['outcome'], ReportState> = {
  done: { kind: 'done', words: 'done' },
  nothing: { kind: 'done', words: 'no changes' },
  failed: { kind: 'failed', words: 'failed' },
  skipped: { kind: 'change', words: 'skipped: an earlier call failed' },
};

export interface CallResult {
  call: Call;
  outcome: CallOutcome | 'not sent';
  /** `partly: 2 of 3 IPs moved; 192.0.2.9 stayed in pricing` */
  words: string;
  /** True if the words name each IP, so that no list of IPs is needed. */
  hasIps: boolean;
}

/** Returns the calls of a resource, those that were not sent last. */
export function callResults(
  { made, notMade = [] }: { made: readonly JournaledCall[]; notMade?: readonly Call[] },
  style: Style,
): CallResult[] {
  return [
    ...made.map((journaled): CallResult => {
      const [outcome, fates] = [outcomeOf(journaled), fatesOf(journaled, style)];
      const words = outcomeWords(journaled, fates.length > 0 ? `: ${fates.join('; ')}` : '');
      return { call: journaled.call, outcome, words, hasIps: outcome !== 'done' && seenIps(journaled) !== undefined };
    }),
    ...notMade.map((call): CallResult => ({ call, outcome: 'not sent', words: 'not sent', hasIps: false })),
  ];
}

function outcomeWords(journaled: JournaledCall, details: string): string {
  switch (outcomeOf(journaled)) {
    case 'done':
      return 'done';
    case 'accepted':
      return details === '' ? 'accepted, not read back' : `accepted${details}`;
    case 'partly':
      return details === '' ? `not applied in full${because(journaled)}` : `partly${details}`;
    case 'refused':
      return `${journaled.failed ? `refused${because(journaled)}, ` : ''}${callWords.of(journaled.call).noEffect}${details}`;
    case 'unknown':
      return `outcome unknown${because(journaled)}${details}`;
  }
}

/** Returns the message of the service, or else its count. */
function because({ call, failed, answered }: JournaledCall): string {
  if (failed) return ` (${failed.message})`;
  const { flow } = describeCall(call);
  if (flow === undefined || answered?.count === undefined) return '';
  return ` (the service counted ${answered.count} of ${counted(flow.moves.length, 'IP')})`;
}

/** Returns what the read-back showed, IP by IP. */
function fatesOf(journaled: JournaledCall, style: Style): string[] {
  const seen = seenIps(journaled);
  const { flow } = describeCall(journaled.call);
  if (!seen || flow === undefined) return [];
  const { moves, from, to } = flow;
  // According to the service, this call moved nothing.
  const byOthers = outcomeOf(journaled) === 'refused';
  const { moved, notMoved, elsewhere, notVisible } = seen;
  const each = (ips: readonly string[], one: string, many = one) =>
    ips.length === 0 ? [] : [`${listed(ips, style).join(' ')} ${ips.length === 1 ? one : many}`];
  return [
    ...(moved.length > 0 && !byOthers ? [`${moved.length} of ${counted(moves.length, 'IP')} moved`] : []),
    ...each(notMoved, `stayed in ${from}`),
    ...each(byOthers ? moved : [], `was moved to ${to} by another user`, `were moved to ${to} by another user`),
    ...each(elsewhere, 'was moved away by another user', 'were moved away by another user'),
    ...each(notVisible, 'is not visible yet', 'are not visible yet'),
  ];
}

function seenIps({ seen }: JournaledCall): Exclude<Seen, { took: boolean }> | undefined {
  return seen && 'moved' in seen ? seen : undefined;
}

/** A call, or similar calls together. */
export interface ResultRow extends Pick<CallResult, 'outcome' | 'words'> {
  /** `2 IPs`, `from pricing`, `to checkout` */
  cells: string[];
  /** What the calls change, unless the words say it. */
  contents: string[];
}

export function resultRows(results: readonly CallResult[], style: Style): ResultRow[] {
  return resultGroups(results, style).map((group) => resultRow(group, style));
}

function resultGroups(results: readonly CallResult[], style: Style): CallResult[][] {
  return groupsOf(results, style, (a, b) => !a.hasIps && !b.hasIps && a.words === b.words);
}

function resultRow(group: readonly CallResult[], style: Style): ResultRow {
  const [{ outcome, words, hasIps }] = group as [CallResult];
  const calls = group.map(({ call }) => call);
  return { cells: callCells(calls, style), outcome, words, contents: hasIps ? [] : contentWords(calls, style) };
}

/** Returns a table of the resources, one of what was not done, and one of what was. */
export function resultSections(resources: readonly ResourceResult[], style: Style): TableSection[] {
  const columns = [{ name: 'Resource' }, { name: 'Call' }, { name: 'Outcome' }];
  const common = { is: 'table' as const, columns, nouns: { weight: 'call' } };
  const all = resources.map((resource) => {
    const results = callResults(resource, style);
    const { done = [], open = [] } = Object.groupBy(results, (result) => (isDone(result) ? 'done' : 'open'));
    const rows = (its: readonly CallResult[]) =>
      resultGroups(its, style).map((group) => {
        const cells = () => {
          const { cells: call, words, contents } = resultRow(group, style);
          const outcome = contents.length > 0 ? `${words}: ${contents.join(' ')}` : words;
          return [{ name: resourceTitle(resource) }, { name: call.join(' ') }, outcome];
        };
        return { cells, weight: group.length };
      });
    return { done: rows(done), notDone: [...unsentRow(resource), ...rows(open)] };
  });
  return [
    resourceTable(resources),
    { ...common, id: 'not-done', title: 'Not done', items: all.flatMap(({ notDone }) => notDone) },
    { ...common, id: 'done', title: 'Done', items: all.flatMap(({ done }) => done) },
  ];
}

function isDone({ outcome }: CallResult): boolean {
  return outcome === 'done' || outcome === 'accepted';
}

/** Returns the row of a resource that was skipped, or failed before its first call. */
function unsentRow(resource: ResourceResult): SectionRow[] {
  const { outcome, made, notMade } = resource;
  const { words } = outcomeStates[outcome];
  const row = (text: string) => [{ cells: () => [{ name: resourceTitle(resource) }, '', text], weight: 0 }];
  if (outcome === 'skipped') return row(words);
  return outcome === 'failed' && made.length + notMade.length === 0 ? row(`${words}, no calls made`) : [];
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
  const nouns = { item: 'resource' };
  return { is: 'table', id: 'resources', title: 'Resources', isDetail: true, columns, items, nouns };
}
