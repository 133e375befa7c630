/** Reports for pull requests, issues and step summaries, in the Markdown of GitHub and GitLab and within their size limits. */

import { portable } from '../model/locations.ts';
import { printable } from '../model/printable.ts';
import type { Report, ReportFormat } from '../model/report.ts';
import { commandOf, titledSummary } from '../text/summary.ts';
import { bytes, fitted } from './budget.ts';
import { code } from './markup.ts';
import { planSections } from './plan.ts';
import { runSections } from './run.ts';

/** Returns one line if there are no changes, problems or notes. */
export const markdown: ReportFormat = (report) => {
  const shown = printable(portable(report));
  const heading = `### ${titledSummary(shown)}`;
  const sections = shown.about === 'run' ? runSections(shown) : planSections(shown);
  if (sections.length === 0) return `${heading}\n`;
  const [elsewhere, origin] = [elsewhereText(shown), originText(shown)];
  const { text, isCut } = fitted(sections, longest - bytes([heading, elsewhere, origin].join('\n\n\n\n')));
  return `${[heading, text, ...(isCut ? [elsewhere] : []), origin].join('\n\n')}\n`;
};

/** Comments have at most 65,536 characters, and the caller adds a marker and a link. */
const longest = 64_000;

function elsewhereText(report: Report): string {
  const command = commandOf(report);
  return `The HTML and JSON reports have everything: \`webdata ${command} --report html=${command}.html\`.`;
}

function originText({ origin, account = '', version, createdAt }: Report): string {
  const parts = [`webdata ${version}`, account, origin, createdAt ?? ''].filter((part) => part !== '');
  return `<sub>${parts.map((part) => code(part)).join(' · ')}</sub>`;
}
