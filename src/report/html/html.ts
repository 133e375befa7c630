/** The report as one page that opens anywhere: a summary, a picture of where IPs go, and a list of them to search. */
import { hasChanges } from '../../sync/plan/plan.ts';
import { isDrift } from '../model/differences.ts';
import { portable } from '../model/locations.ts';
import { printable } from '../model/printable.ts';
import { type Format, isFailure, type Report } from '../model/report.ts';
import type { TextOptions } from '../text/style.ts';
import { commandOf, summaryOf } from '../text/summary.ts';
import { allocationSection } from './allocation.ts';
import { changeSections } from './changes.ts';
import { page } from './document.ts';
import { type Content, type Markup, markup } from './markup.ts';
import { moveSection } from './moveList.ts';
import { movesIn, pairsOf } from './moves.ts';
import { pictureSection } from './picture.ts';
import { noteSection, problemSection } from './problemList.ts';
import { resultSection } from './results.ts';
import type { Section } from './tables.ts';

export const html: Format = (report, options) => {
  const safe = printable(portable(report));
  const sections = sectionsOf(safe, options);
  const title = `webdata ${commandOf(safe)}${safe.origin === '' ? '' : ` · ${safe.origin}`}`;
  return page({ title, body: [header(safe, sections), main(sections), footer(safe)] });
};

function sectionsOf(report: Report, options: TextOptions): Section[] {
  const moves = movesIn(report);
  return [
    ...problemSection(report, options),
    ...resultSection(report, options),
    ...pictureSection(report, pairsOf(moves), options),
    ...allocationSection(report, moves, options),
    ...changeSections(report, options),
    ...noteSection(report, options),
    ...moveSection(moves),
  ];
}

function header(report: Report, sections: readonly Section[]): Markup {
  return markup`<a class="skip" href="#main">Skip to the report</a>
<header>
<div class="bar"><p class="brand">webdata <b>${commandOf(report)}</b> ${badge(report)}</p><button type="button" id="theme" class="no-print" hidden>Dark</button></div>
<h1>${summaryOf(report)}</h1>
<p class="meta">${meta(report)}</p>
${contents(sections)}
</header>
`;
}

function badge(report: Report): Markup {
  const [kind, told] = stateOf(report);
  return markup`<span class="badge is-${kind}">${told}</span>`;
}

/** In a word, before the sentence is read. */
function stateOf(report: Report): ['done' | 'failed' | 'change', string] {
  if (report.about === 'run') return isFailure(report) ? ['failed', 'failed'] : ['done', 'done'];
  if (isFailure(report)) return ['failed', 'can’t be carried out'];
  if (report.mode !== 'drift') return hasChanges(report.plan) ? ['change', 'changes'] : ['done', 'no changes'];
  return report.plan.resources.some((each) => isDrift(each, report)) ? ['change', 'drift'] : ['done', 'no drift'];
}

function meta({ origin, version, createdAt }: Report): Content {
  const time =
    createdAt &&
    markup`<time datetime="${createdAt}">${createdAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')}</time>`;
  return [origin !== '' && markup`<span>${origin}</span>`, markup`<span>webdata ${version}</span>`, time];
}

function contents(sections: readonly Section[]): Content {
  if (sections.length < 2) return undefined;
  const links = sections.map(({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`);
  return markup`<nav class="no-print" aria-label="Contents"><ul>${links}</ul></nav>`;
}

function main(sections: readonly Section[]): Markup {
  const parts = sections.map(
    ({ id, title, body }) => markup`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${body}</section>
`,
  );
  return markup`<main id="main" tabindex="-1">
${parts}</main>
`;
}

function footer({ version }: Report): Markup {
  return markup`<footer>Made by webdata ${version}. This file loads nothing and sends nothing.</footer>`;
}
