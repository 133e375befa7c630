/** Reports for pull requests, issues and step summaries, in the Markdown of GitHub and GitLab and within their size limits. */

import { counted } from '../../base/diagnostics/valueWords.ts';
import { startedByText } from '../../engine/doors/plan.ts';
import {
  type AccountReport,
  type AccountsFormat,
  accountsSummary,
  accountsTable,
  documentFormat,
} from '../model/accounts.ts';
import { figuresOf } from '../model/figures.ts';
import type { Report } from '../model/report.ts';
import { commandOf, titledSummary } from '../model/summary.ts';
import { bytes, fitted } from './budget.ts';
import { tableHead, tableRow } from './items.ts';
import { code } from './markup.ts';
import { markdownSections } from './sections.ts';

/** Returns one line if there are no changes, problems or notes. */
function markdownWithin(report: Report, room: number): string {
  const heading = `### ${headline(report)}`;
  const sections = markdownSections(report);
  if (sections.length === 0) return `${heading}\n`;
  const [elsewhere, origin] = [everythingText(commandOf(report)), originText(report)];
  const { text, isCut } = fitted(sections, room - bytes([heading, elsewhere, origin].join('\n\n\n\n')));
  return `${[heading, text, ...(isCut ? [elsewhere] : []), origin].join('\n\n')}\n`;
}

/** Returns the figures of a plan: `webdata plan: 3 moves · 2 calls · no drift`. */
function headline(report: Report): string {
  const figures = figuresOf(report).map(({ text }) => text);
  return figures.length === 0 ? titledSummary(report) : `webdata ${commandOf(report)}: ${figures.join(' · ')}`;
}

/** Returns a table of the accounts and a section for each. Small sections are whole; large ones share the rest of the room. */
const accountsMarkdown: AccountsFormat = (report) => {
  const { command, accounts } = report;
  const { columns, items } = accountsTable(report);
  const table = tableHead(columns) + items.map(tableRow).join('\n');
  const heads = accounts.map(({ account, file }) => `## ${code(account)}\n\n${code(file)}`);
  const summary = accountsSummary(report);
  const start = `### webdata ${summary.charAt(0).toLowerCase()}${summary.slice(1)}\n\n${table}`;
  const room = longest - bytes([start, ...heads].join('\n\n\n\n'));
  const sections = accountSections(accounts, room);
  const parts = heads.flatMap((head, index) => (sections[index] === undefined ? [] : [head, sections[index]]));
  const left = sections.filter((section) => section === undefined).length;
  const more = left === 0 ? [] : [`${counted(left, 'account')} not shown. ${everythingText(command)}`];
  return `${[start, ...parts, ...more].map((part) => part.trimEnd()).join('\n\n')}\n`;
};

export const markdownFormat = documentFormat({
  one: (report) => markdownWithin(report, longest),
  accounts: accountsMarkdown,
});

/** The least room for the section of an account. */
const leastSection = 1_500;

/** Returns the sections in their order, undefined where there is no room left. */
function accountSections(accounts: readonly AccountReport[], room: number): (string | undefined)[] {
  const whole = accounts.map(({ report }) => markdownWithin({ ...report, account: undefined }, longest));
  const bySize = [...whole.keys()].sort((a, b) => bytes(whole[a] ?? '') - bytes(whole[b] ?? ''));
  const sections: (string | undefined)[] = accounts.map(() => undefined);
  let left = room;
  for (const [done, index] of bySize.entries()) {
    const share = Math.floor(left / (accounts.length - done));
    const report = accounts[index]?.report;
    const text = whole[index] ?? '';
    if (report === undefined || share < Math.min(leastSection, bytes(text))) continue;
    const section = bytes(text) <= share ? text : markdownWithin({ ...report, account: undefined }, share);
    sections[index] = section;
    left -= bytes(section);
  }
  return sections;
}

/** Comments have at most 65,536 characters, and the caller adds a marker and a link. */
const longest = 64_000;

function everythingText(command: string): string {
  return `The HTML and JSON reports have everything: \`webdata ${command} --report html=${command}.html\`.`;
}

function originText({ origin, account = '', files = [], version, by, createdAt }: Report): string {
  const parts = [
    `webdata ${version}`,
    account,
    files.join(', '),
    origin,
    by === undefined ? '' : startedByText(by),
    createdAt ?? '',
  ].filter((part) => part !== '');
  return `<sub>${parts.map((part) => code(part)).join(' · ')}</sub>`;
}
