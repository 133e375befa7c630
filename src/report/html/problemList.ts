/** The sections of problems and notes. */

import { formatPath } from '../../base/diagnostics/path.ts';
import { byLocation, type Problem } from '../../base/diagnostics/problem.ts';
import { counted, shorten } from '../../base/diagnostics/valueWords.ts';
import { resourceTitle } from '../../engine/plan/plan.ts';
import { isUnmanaged } from '../../kinds/knownNotes.ts';
import type { Note } from '../../kinds/notes.ts';
import { baselineRemark, causeGroups } from '../model/causes.ts';
import { locationText } from '../model/locations.ts';
import { problemsIn, type Report } from '../model/report.ts';
import { listed, styleOf, type TextOptions } from '../text/style.ts';
import { type Markup, markup } from './markup.ts';
import { foldedTable, leftOut, type PageSection, shortlist, type Table } from './tables.ts';

const mostProblems = 1_000;

export function problemSection(report: Report, options: TextOptions): PageSection[] {
  const all = problemsIn(report).toSorted(byLocation);
  if (all.length === 0) return [];
  const { shown, more } = shortlist(all, mostProblems, options);
  const body = [
    markup`<ol class="problems">${shown.map(problemItem)}</ol>`,
    leftOut(more, 'problem', 'The JSON report has all of them.'),
  ];
  return [{ id: 'problems', title: counted(all.length, 'problem'), body }];
}

/** Returns the section of warnings, which block nothing. */
export function warningSection(report: Report, options: TextOptions): PageSection[] {
  const all = report.about === 'plan' ? (report.warnings ?? []).toSorted(byLocation) : [];
  if (all.length === 0) return [];
  const { shown, more } = shortlist(all, mostProblems, options);
  const body = [
    markup`<ol class="problems">${shown.map(problemItem)}</ol>`,
    leftOut(more, 'warning', 'The JSON report has all of them.'),
  ];
  return [{ id: 'warnings', title: counted(all.length, 'warning'), body }];
}

/** Returns the table of causes: what has drifted, what is pending, and what is muted. */
export function causeSection(report: Report, options: TextOptions): PageSection[] {
  if (report.about === 'run') return [];
  const style = styleOf({ color: false, full: options.full });
  const rows = report.plan.resources.flatMap((resource) =>
    causeGroups(resource, report).map(({ label, items, remark }) => {
      const title = resourceTitle(resource);
      const words = [...listed(items, style), ...(remark === undefined ? [] : [`(${remark})`])].join(' ');
      return markup`<tr><th scope="row">${title}</th><td>${label}</td><td>${shorten(words, longestText)}</td></tr>\n`;
    }),
  );
  const remark = baselineRemark(report);
  if (rows.length === 0 && remark === undefined) return [];
  const table: Table = {
    caption: 'Causes of the differences',
    head: markup`<th scope="col">Resource</th><th scope="col">Cause</th><th scope="col">Differences</th>`,
    rows,
    noun: 'row',
    open: 20,
    most: 500,
    leftOut: 'The JSON report has all of them.',
  };
  const body = [remark !== undefined && markup`<p>${remark}</p>`, rows.length > 0 && foldedTable(table, options)];
  return [{ id: 'causes', title: 'Causes', body }];
}

const mostNotes = 500;
const openNotes = 5;

export function noteSection(report: Report, options: TextOptions): PageSection[] {
  const plan = report.about === 'run' ? report.result.plan : report.plan;
  const all = plan.resources.flatMap((resource) =>
    resource.notes.map((note) => ({ note, resource: resourceTitle(resource) })),
  );
  if (all.length === 0) return [];
  const { shown, more } = shortlist(all, mostNotes, options);
  const list = [
    markup`<ul class="notes">${shown.map(({ note, resource }) => noteItem(note, resource))}</ul>`,
    leftOut(more, 'note', 'The JSON report has all of them.'),
  ];
  const body =
    all.length <= openNotes
      ? list
      : markup`<details><summary>${counted(all.length, 'note')}</summary>${list}</details>`;
  return [{ id: 'notes', title: 'Notes', body }];
}

/** The limit is longer than every sentence of the program. Cuts long values, which would fill the page. */
const longestText = 2_000;

function problemItem({ found, allowed, fix, path = [], place, also = [], affects = [], code }: Problem): Markup {
  const where = locationText({ path, ...(place ? { place } : {}) });
  const details: [string, string][] = [
    ...(place && path.length > 0 ? [['at', formatPath(path)] as [string, string]] : []),
    ...(allowed === undefined ? [] : [['allowed', allowed] as [string, string]]),
    ...(fix === undefined ? [] : [['fix', fix] as [string, string]]),
    ...(affects.length > 0 ? [['affects', affects.join(', ')] as [string, string]] : []),
    ...also.map((other): [string, string] => ['also', `${locationText(other)} ${other.what}`]),
  ];
  const list =
    details.length > 0 &&
    markup`<dl>${details.map(([name, text]) => markup`<dt>${name}</dt><dd>${shorten(text, longestText)}</dd>`)}</dl>`;
  return markup`<li><p>${where !== '' && markup`<code class="place">${shorten(where, longestText)}</code> `}<strong>${shorten(found, longestText)}</strong> <span class="quiet">${code}</span></p>${list}</li>
`;
}

function noteItem(note: Note, resource: string): Markup {
  const { text, ips = [] } = note;
  const list =
    isUnmanaged(note) &&
    ips.length > 0 &&
    markup`<details><summary>${counted(ips.length, 'IP')}</summary><p class="ips">${ips.join(', ')}</p></details>`;
  return markup`<li><span class="quiet">${resource}</span> ${shorten(text, longestText)}${list}</li>
`;
}
