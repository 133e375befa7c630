/** The report for pull requests, issues and step summaries, in the Markdown of GitHub and GitLab, and never longer than they take. */

import { portable } from '../model/locations.ts';
import { printable } from '../model/printable.ts';
import type { Format, Report } from '../model/report.ts';
import { commandOf, titledSummary } from '../text/summary.ts';
import { bytes, fitted } from './budget.ts';
import { code } from './markup.ts';
import { planSections } from './plan.ts';
import { runSections } from './run.ts';

/** One line where there is nothing to tell. */
export const markdown: Format = (report) => {
  const shown = printable(portable(report));
  const heading = `### ${titledSummary(shown)}`;
  const sections = shown.about === 'run' ? runSections(shown) : planSections(shown);
  if (sections.length === 0) return `${heading}\n`;
  const [elsewhere, origin] = [elsewhereText(shown), originText(shown)];
  const { text, isCut } = fitted(sections, longest - bytes([heading, elsewhere, origin].join('\n\n\n\n')));
  return `${[heading, text, ...(isCut ? [elsewhere] : []), origin].join('\n\n')}\n`;
};

/** A comment takes 65,536 characters; what puts this into one adds a marker and a link of its own. */
const longest = 64_000;

function elsewhereText(report: Report): string {
  const command = commandOf(report);
  return `What is left out here is in the HTML and JSON reports: \`webdata ${command} --report html=${command}.html\`.`;
}

function originText({ origin, version, createdAt }: Report): string {
  const parts = [`webdata ${version}`, origin, createdAt ?? ''].filter((part) => part !== '');
  return `<sub>${parts.map((part) => code(part)).join(' · ')}</sub>`;
}
