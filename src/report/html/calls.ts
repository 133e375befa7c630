/** The sections about calls: the outcomes of a run, and the properties that calls change. */

import { type ResourceId, resourceTitle } from '../../engine/plan/plan.ts';
import type { ResourceResult } from '../../engine/run/outcome.ts';
import type { Call } from '../../kinds/call.ts';
import { type CallChange, callWords, type ReportSection } from '../../kinds/callWords.ts';
import type { PropertyChange } from '../../kinds/changes.ts';
import { describeCall } from '../../kinds/shownCalls.ts';

import { outcomeTitles } from '../model/remarks.ts';
import type { Report } from '../model/report.ts';
import { placeOfCalls } from '../text/callRows.ts';
import { madeRows, notMadeRows, outcomeWords } from '../text/outcomes.ts';
import { styleOf, type TextOptions } from '../text/style.ts';
import { type Content, type Markup, markup, sentence } from './markup.ts';
import { foldedTable, type PageSection } from './tables.ts';

export function resultSection(report: Report, options: TextOptions): PageSection[] {
  if (report.about === 'plan' || report.result.resources.length === 0) return [];
  const body = report.result.resources.map((resource) => resultTable(resource, options));
  return [{ id: 'calls', title: 'Calls', body }];
}

function resultTable(resource: ResourceResult, options: TextOptions): Content {
  const { outcome, made, notMade } = resource;
  const title = resourceTitle(resource);
  const style = styleOf({ color: false, full: options.full });
  const rows = [...madeRows(made, style), ...notMadeRows(notMade, style)];
  const table = {
    caption: `Calls of ${title}`,
    head: markup`<th scope="col">Call</th><th scope="col">Outcome</th>`,
    rows: rows.map(
      ({ cells, words }) =>
        markup`<tr><th scope="row">${cells.join(' ')}</th><td>${sentence(joined(words))}</td></tr>\n`,
    ),
    noun: 'row',
    open: 20,
    most: 500,
    leftOut: 'The JSON report has all of them.',
  };
  return [
    markup`<h3>${title} <span class="badge is-${outcome}">${outcomeTitles[outcome]}</span></h3>\n`,
    rows.length > 0 && foldedTable(table, options),
  ];
}

/** Joins words. In a terminal, a word with two leading spaces starts a new part. */
function joined(words: readonly string[]): string {
  return words.join(' ').replaceAll('   ', ' · ');
}

export function changeSections(report: Report, options: TextOptions): PageSection[] {
  const all = changedIn(report);
  const sections = new Map(all.map(({ section }) => [section.id, section]));
  return [...sections.values()].map(({ id, title }) => {
    const its = all.filter(({ section }) => section.id === id);
    return { id, title, body: its.map((resource) => resourceTable(resource, report, options)) };
  });
}

interface ChangedCall {
  call: Call;
  changes: readonly CallChange[];
  /** Empty for a plan. */
  outcome: string;
}

/** A resource whose calls change properties, not IPs. */
interface Changed extends ResourceId {
  section: ReportSection;
  calls: ChangedCall[];
}

function changedIn(report: Report): Changed[] {
  const plan = report.about === 'run' ? report.result.plan : report.plan;
  const planned = new Map(plan.resources.map((resource) => [resourceTitle(resource), resource.changes]));
  const resources = report.about === 'run' ? report.result.resources.map(sentCalls) : plan.resources.map(plannedCalls);
  return resources.flatMap(({ calls, ...id }) => {
    const described = calls.flatMap((each) => describedCall(each, planned.get(resourceTitle(id)) ?? []));
    const [first] = described;
    return first === undefined ? [] : [{ ...id, section: callWords.of(first.call).section, calls: described }];
  });
}

type Sent = ResourceId & { calls: { call: Call; outcome: string }[] };

function plannedCalls({ kind, collection, name, calls }: ResourceId & { calls: readonly Call[] }): Sent {
  return { kind, collection, name, calls: calls.map((call) => ({ call, outcome: '' })) };
}

const plain = styleOf({ color: false });

function sentCalls({ kind, collection, name, made, notMade }: RunResource): Sent {
  const sent = made.map((journaled) => ({ call: journaled.call, outcome: outcomeWords(journaled, plain) }));
  return { kind, collection, name, calls: [...sent, ...notMade.map((call) => ({ call, outcome: 'not sent' }))] };
}

type RunResource = Extract<Report, { about: 'run' }>['result']['resources'][number];

/** Describes a call that changes properties. Returns nothing for one that moves IPs: these are in the list of moves. */
function describedCall({ call, outcome }: Sent['calls'][number], planned: readonly PropertyChange[]): ChangedCall[] {
  const { changes, items, subject } = describeCall(call, planned);
  if (changes.length > 0) return [{ call, changes, outcome }];
  return items.length > 0
    ? [{ call, changes: [{ kind: 'change', name: subject, after: items.join(', ') }], outcome }]
    : [];
}

function resourceTable(resource: Changed, report: Report, options: TextOptions): Content {
  const isRun = report.about === 'run';
  const isDrift = report.about === 'plan' && report.mode === 'drift';
  const [before, after] = isDrift ? ['Live', 'Declared'] : ['Before', 'After'];
  const title = resourceTitle(resource);
  const table = {
    caption: `Changes of ${title}`,
    head: markup`<th scope="col">Property</th><th scope="col">${isDrift ? 'Difference' : 'Change'}</th><th scope="col">${before}</th><th scope="col">${after}</th>${isRun && markup`<th scope="col">Outcome</th>`}`,
    rows: resource.calls.flatMap(({ changes, outcome }) =>
      changes.map((change) => changeRow(change, isDrift, isRun ? markup`<td>${sentence(outcome)}</td>` : undefined)),
    ),
    noun: 'change',
    open: 100,
    most: 2_000,
    leftOut: 'The JSON report has all of them.',
  };
  const place = placeOfCalls(resource.calls.map(({ call }) => call));
  return [markup`<h3>${title} <span class="quiet">${place}</span></h3>\n`, foldedTable(table, options)];
}

const kinds = {
  add: { mark: '+', word: 'added', differs: 'not live' },
  remove: { mark: '−', word: 'removed', differs: 'not declared' },
  change: { mark: '~', word: 'changed', differs: 'differs' },
} as const;

function changeRow({ kind, name, before = '', after = '' }: CallChange, isDrift: boolean, outcome: Content): Markup {
  const { mark, word, differs } = kinds[kind];
  return markup`<tr><th scope="row" class="property">${name}</th><td class="${word}">${isDrift ? differs : `${mark} ${word}`}</td><td>${before !== '' && markup`<del>${before}</del>`}</td><td>${after !== '' && markup`<ins>${after}</ins>`}</td>${outcome}</tr>
`;
}
