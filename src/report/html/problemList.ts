/** The sections of problems and notes. */

import type { Problem } from '../../base/diagnostics/problem.ts';
import { counted, shorten } from '../../base/diagnostics/valueWords.ts';
import { locationText, problemDetails } from '../model/problemDetails.ts';
import type { Remarks } from '../model/remarks.ts';
import { listed, styleOf, type TextOptions } from '../text/style.ts';
import { type Markup, markup, sentence } from './markup.ts';
import { foldedTable, leftOut, type PageSection, shortlist, type Table } from './tables.ts';

const mostProblems = 1_000;

/** Returns the sections of what stops the calls, and of what only warns. */
export function problemSections({ problems, warnings }: Remarks, options: TextOptions): PageSection[] {
  return [...problemSection('problem', problems, options), ...problemSection('warning', warnings, options)];
}

function problemSection(noun: string, all: readonly Problem[], options: TextOptions): PageSection[] {
  if (all.length === 0) return [];
  const { shown, more } = shortlist(all, mostProblems, options);
  const body = [
    markup`<ol class="problems">${shown.map(problemItem)}</ol>`,
    leftOut(more, noun, 'The JSON report has all of them.'),
  ];
  return [{ id: `${noun}s`, title: counted(all.length, noun), body }];
}

/** Returns the table of causes: what has drifted, what is pending, and what is muted. */
export function causeSection({ causes, baseline }: Remarks, options: TextOptions): PageSection[] {
  if (causes.length === 0 && baseline === undefined) return [];
  const style = styleOf({ color: false, full: options.full });
  const rows = causes.map(({ title, label, items, remark }) => {
    const words = [...listed(items, style), ...(remark === undefined ? [] : [`(${remark})`])].join(' ');
    return markup`<tr><th scope="row">${title}</th><td>${label}</td><td>${shorten(words, longestText)}</td></tr>\n`;
  });
  const table: Table = {
    caption: 'Causes of the differences',
    head: markup`<th scope="col">Resource</th><th scope="col">Cause</th><th scope="col">Differences</th>`,
    rows,
    noun: 'row',
    open: 20,
    most: 500,
    leftOut: 'The JSON report has all of them.',
  };
  const body = [
    baseline !== undefined && markup`<p>${sentence(baseline)}</p>`,
    rows.length > 0 && foldedTable(table, options),
  ];
  return [{ id: 'causes', title: 'Causes', body }];
}

const mostNotes = 500;
const openNotes = 5;

export function noteSection({ notes }: Remarks, options: TextOptions): PageSection[] {
  if (notes.length === 0) return [];
  const { shown, more } = shortlist(notes, mostNotes, options);
  const list = [
    markup`<ul class="notes">${shown.map(noteItem)}</ul>`,
    leftOut(more, 'note', 'The JSON report has all of them.'),
  ];
  const body =
    notes.length <= openNotes
      ? list
      : markup`<details><summary>${counted(notes.length, 'note')}</summary>${list}</details>`;
  return [{ id: 'notes', title: 'Notes', body }];
}

/** The limit is longer than every sentence of the program. Cuts long values, which would fill the page. */
const longestText = 2_000;

function problemItem(problem: Problem): Markup {
  const where = locationText(problem);
  const details = problemDetails(problem).map(({ name, names, text }) => {
    const words = [names.join(', '), text].filter((part) => part !== '').join(' ');
    return markup`<dt>${name}</dt><dd>${sentence(shorten(words, longestText))}</dd>`;
  });
  const list = details.length > 0 && markup`<dl>${details}</dl>`;
  return markup`<li><p>${where !== '' && markup`<code class="place">${shorten(where, longestText)}</code> `}<strong>${sentence(shorten(problem.found, longestText))}</strong> <span class="quiet">${problem.code}</span></p>${list}</li>
`;
}

function noteItem({ title, text, ips }: Remarks['notes'][number]): Markup {
  const list =
    ips.length > 0 &&
    markup`<details><summary>${counted(ips.length, 'IP')}</summary><p class="ips">${ips.join(', ')}</p></details>`;
  return markup`<li><span class="quiet">${title}</span> ${sentence(shorten(text, longestText))}${list}</li>
`;
}
