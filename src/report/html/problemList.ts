/** Lists of problems and notes. */

import type { Problem } from '../../base/diagnostics/problem.ts';
import { counted, shorten } from '../../base/diagnostics/valueWords.ts';
import { locationText, problemDetails } from '../model/problemDetails.ts';
import type { NoteSection, ProblemSection } from '../model/sectionTypes.ts';
import { type Style, shortened } from '../model/style.ts';
import { type Content, type Markup, markup, sentence } from './markup.ts';
import { leftOut } from './tables.ts';

const mostProblems = 1_000;

export function problemBody({ noun, items }: ProblemSection, style: Style): Content {
  const { shown, more } = shortened(items, mostProblems, style);
  return [markup`<ol class="problems">${shown.map(problemItem)}</ol>`, leftOut(more, noun)];
}

const mostNotes = 500;
const openNotes = 5;

export function noteBody({ items }: NoteSection, style: Style): Content {
  const { shown, more } = shortened(items, mostNotes, style);
  const list = [markup`<ul class="notes">${shown.map(noteItem)}</ul>`, leftOut(more, 'note')];
  if (items.length <= openNotes) return list;
  return markup`<details><summary>${counted(items.length, 'note')}</summary>${list}</details>`;
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

function noteItem({ title, text, ips }: NoteSection['items'][number]): Markup {
  const list =
    ips.length > 0 &&
    markup`<details><summary>${counted(ips.length, 'IP')}</summary><p class="ips">${ips.join(', ')}</p></details>`;
  return markup`<li><span class="quiet">${title}</span> ${sentence(shorten(text, longestText))}${list}</li>
`;
}
