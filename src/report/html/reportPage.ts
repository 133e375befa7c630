/**
 * The HTML page of a report: a summary, a flow chart of IPs, and a searchable list of them. The caller brings the style and the script, so that
 * the page can also be written where there are no files.
 */

import { printable, printableText } from '../../base/values/printable.ts';
import { utcTime } from '../../base/values/utcTime.ts';
import {
  type AccountReport,
  type AccountsReport,
  accountId,
  accountState,
  accountsSummary,
  accountsTable,
  stateOf,
} from '../model/accounts.ts';
import { portable } from '../model/locations.ts';
import type { Meta, Report } from '../model/report.ts';
import { sectionsOf } from '../model/sections.ts';
import type { Section } from '../model/sectionTypes.ts';
import { styleOf, type TextOptions } from '../text/style.ts';
import { commandOf, summaryOf } from '../text/summary.ts';
import { allocationBody } from './allocation.ts';
import { changeBody } from './calls.ts';
import { type Content, type Markup, markup, sentence, verbatim } from './markup.ts';
import { moveListBody } from './moveList.ts';
import { pictureBody } from './picture.ts';
import { noteBody, problemBody } from './problemList.ts';
import { badge, type PageSection, sectionTable } from './tables.ts';

/** The parts of the page that are the same for every report. */
export interface PageAssets {
  style: string;
  script: string;
  /** The Content Security Policy. */
  policy: string;
}

export function reportPage(report: Report, options: TextOptions, assets: PageAssets): string {
  const safe = printable(portable(report));
  const sections = pageSections(safe, options);
  const title = `webdata ${commandOf(safe)}${[safe.account, safe.origin].map((part) => (part ? ` · ${part}` : '')).join('')}`;
  return page({ title, body: [header(safe, sections), main(sections), footer(safe)] }, assets);
}

/** Returns a page with a section for each account. Lists of moves without limits are left to the reports of single accounts. */
export function accountsPage(report: AccountsReport, options: TextOptions, assets: PageAssets): string {
  const safe = report.accounts.map((each) => ({
    ...each,
    account: printableText(each.account),
    file: printableText(each.file),
    report: printable(portable(each.report)),
  }));
  const accounts = safe.map((each, index) => accountSection(each, accountId(index), options));
  const summary = accountsTable({ accounts: safe });
  const body = sectionTable(summary, options, { open: safe.length, most: safe.length });
  const { command, version, createdAt } = report;
  const parts = markup`<header>
<div class="bar"><p class="brand">webdata <b>${command}</b></p><button type="button" id="theme" class="no-print" hidden>Dark</button></div>
<h1>${accountsSummary(report)}</h1>
<p class="meta">${meta({ origin: '', version, createdAt })}</p>
</header>
`;
  const skip = markup`<a class="skip" href="#main">Skip to the report</a>\n`;
  return page(
    { title: `webdata ${command}`, body: [skip, parts, main([{ ...summary, body }, ...accounts]), footer(report)] },
    assets,
  );
}

function accountSection(account: AccountReport, id: string, options: TextOptions): PageSection {
  const { report, file } = account;
  const its = pageSections(report, options).filter((section) => section.id !== 'moves');
  const body = [
    markup`<p class="meta">${[markup`<span>${file}</span>`, report.origin !== '' && markup`<span>${report.origin}</span>`]}</p>
<p>${badge(accountState(account))} ${summaryOf(report)}</p>
`,
    ...its.map(({ title, body: content }) => markup`<h3>${title}</h3>\n${content}`),
  ];
  return { id, title: account.account, body: withIdsIn(markup`${body}`, id) };
}

/** Makes ids unique: several accounts on one page have the same sections. Data cannot look like an attribute, because it is escaped. */
function withIdsIn({ markup: text }: Markup, id: string): Markup {
  return verbatim(
    text
      .replaceAll(/ (id|aria-labelledby)="/g, ` $1="${id}-`)
      .replaceAll(' href="#', ` href="#${id}-`)
      .replaceAll(' fill="url(#', ` fill="url(#${id}-`),
  );
}

function pageSections(report: Report, options: TextOptions): PageSection[] {
  return sectionsOf(report, styleOf({ color: false, full: options.full })).map((section) => {
    const remark = (section.remarks ?? []).join(' ');
    const body = [remark !== '' && markup`<p>${sentence(remark)}</p>\n`, bodyOf(section, options)];
    return { id: section.id, title: section.title, body };
  });
}

function bodyOf(section: Section, options: TextOptions): Content {
  switch (section.is) {
    case 'problems':
      return problemBody(section, options);
    case 'table':
      return section.chart ? pictureBody(section, section.chart, options) : sectionTable(section, options);
    case 'zones':
      return allocationBody(section, options);
    case 'changes':
      return changeBody(section, options);
    case 'notes':
      return noteBody(section, options);
    case 'ips':
      return moveListBody(section);
  }
}

function header(report: Report, sections: readonly PageSection[]): Markup {
  return markup`<a class="skip" href="#main">Skip to the report</a>
<header>
<div class="bar"><p class="brand">webdata <b>${commandOf(report)}</b> ${badge(stateOf(report))}</p><button type="button" id="theme" class="no-print" hidden>Dark</button></div>
<h1>${summaryOf(report)}</h1>
<p class="meta">${meta(report)}</p>
${contents(sections)}
</header>
`;
}

function meta({ origin, account, version, createdAt }: Meta): Content {
  const time = createdAt && markup`<time datetime="${createdAt}">${utcTime(createdAt)}</time>`;
  return [
    account !== undefined && markup`<span>${account}</span>`,
    origin !== '' && markup`<span>${origin}</span>`,
    markup`<span>webdata ${version}</span>`,
    time,
  ];
}

function contents(sections: readonly PageSection[]): Content {
  if (sections.length < 2) return undefined;
  const links = sections.map(({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`);
  return markup`<nav class="no-print" aria-label="Contents"><ul>${links}</ul></nav>`;
}

function main(sections: readonly PageSection[]): Markup {
  const parts = sections.map(
    ({ id, title, body }) => markup`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${body}</section>
`,
  );
  return markup`<main id="main" tabindex="-1">
${parts}</main>
`;
}

function footer({ version }: Pick<Meta, 'version'>): Markup {
  return markup`<footer>Created by webdata ${version}. This file loads and sends nothing.</footer>`;
}

function page({ title, body }: { title: string; body: Content }, { style, script, policy }: PageAssets): string {
  const whole = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${verbatim(style)}</style>
</head>
<body>
${body}
<script type="module">${verbatim(script)}</script>
</body>
</html>
` satisfies Markup;
  return whole.markup;
}
