/**
 * The HTML page of a report: a summary, a flow chart of IPs, and a searchable list of them. The caller brings the style and the script, so that
 * the page can also be written where there are no files.
 */

import { utcTime } from '../../base/values/utcTime.ts';
import { startedByText } from '../../engine/doors/plan.ts';
import {
  type AccountReport,
  type AccountsReport,
  accountId,
  accountState,
  accountsSummary,
  accountsTable,
  documentFormat,
  type FormatFunctions,
  stateOf,
} from '../model/accounts.ts';
import { type Figure, figuresOf } from '../model/figures.ts';
import type { Meta, Report } from '../model/report.ts';
import { sectionsOf } from '../model/sections.ts';
import type { Section } from '../model/sectionTypes.ts';
import { type Style, styleOf } from '../model/style.ts';
import { commandOf, summaryOf } from '../model/summary.ts';
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

/** Returns the functions of the format. */
export function pageFormat(assets: () => PageAssets): FormatFunctions {
  return documentFormat({
    one: (report, options) => reportPage(report, styleOf({ ...options, color: false }), assets()),
    accounts: (report, options) => accountsPage(report, styleOf({ ...options, color: false }), assets()),
  });
}

function reportPage(report: Report, style: Style, assets: PageAssets): string {
  const { account, origin } = report;
  const sections = pageSections(report, style);
  const title = [`webdata ${commandOf(report)}`, account, origin].filter(Boolean).join(' · ');
  const head = {
    title,
    command: markup`<b>${commandOf(report)}</b> ${badge(stateOf(report))}`,
    summary: summaryOf(report),
    figures: figuresOf(report),
  };
  return page({ ...head, meta: report, sections, links: sections }, assets);
}

/** Returns a page with a section for each account. Lists of moves without limits are left to the reports of single accounts. */
function accountsPage(report: AccountsReport, style: Style, assets: PageAssets): string {
  const { command, version, createdAt, accounts } = report;
  const summary = accountsTable(report);
  const body = sectionTable(summary, style, { open: accounts.length, most: accounts.length });
  const sections = accounts.map((each, index) => accountSection(each, accountId(index), style));
  return page(
    {
      title: `webdata ${command}`,
      command: markup`<b>${command}</b>`,
      summary: accountsSummary(report),
      meta: { origin: '', version, createdAt },
      sections: [{ ...summary, body }, ...sections],
      // The table has the links.
      links: [],
    },
    assets,
  );
}

function accountSection(account: AccountReport, id: string, style: Style): PageSection {
  const { report, file } = account;
  const otherSections = pageSections(report, style).filter((section) => section.id !== 'moves');
  const body = [
    markup`<p class="meta">${[markup`<span>${file}</span>`, report.origin !== '' && markup`<span>${report.origin}</span>`]}</p>
<p>${badge(accountState(account))} ${summaryOf(report)}</p>
`,
    ...otherSections.map(({ title, body: content }) => markup`<h3>${title}</h3>\n${content}`),
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

function pageSections(report: Report, style: Style): PageSection[] {
  return sectionsOf(report, style).map((section) => {
    const remark = (section.remarks ?? []).join(' ');
    const folded = section.is === 'table' ? section.folded : undefined;
    const whole = [remark !== '' && markup`<p>${sentence(remark)}</p>\n`, bodyOf(section, style)];
    const body = folded === undefined ? whole : markup`<details><summary>${folded}</summary>${whole}</details>`;
    return { id: section.id, title: section.title, body };
  });
}

function bodyOf(section: Section, style: Style): Content {
  switch (section.is) {
    case 'problems':
      return problemBody(section, style);
    case 'table':
      return section.chart ? pictureBody(section, section.chart, style) : sectionTable(section, style);
    case 'zones':
      return allocationBody(section, style);
    case 'changes':
      return changeBody(section, style);
    case 'notes':
      return noteBody(section, style);
    case 'ips':
      return moveListBody(section);
  }
}

function metaSpans({ origin, account, files = [], version, by, createdAt }: Meta): Content {
  const time = createdAt && markup`<time datetime="${createdAt}">${utcTime(createdAt)}</time>`;
  return [
    account !== undefined && markup`<span>${account}</span>`,
    files.length > 0 && markup`<span>${files.join(', ')}</span>`,
    origin !== '' && markup`<span>${origin}</span>`,
    by !== undefined && markup`<span>${startedByText(by)}</span>`,
    markup`<span>webdata ${version}</span>`,
    time,
  ];
}

function figureList(figures: readonly Figure[]): Content {
  const counted = figures.filter(({ value }) => value !== undefined);
  if (counted.length === 0) return undefined;
  const entries = counted.map(
    ({ label, value, text, isAlarm }) =>
      markup`<div${isAlarm && markup` class="is-alarm"`} title="${text}"><dt>${label}</dt><dd>${value}</dd></div>`,
  );
  return markup`<dl class="figures">${entries}</dl>`;
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

interface Page {
  title: string;
  command: Content;
  summary: string;
  figures?: readonly Figure[];
  meta: Meta;
  sections: readonly PageSection[];
  /** The sections that the head of the page links. */
  links: readonly PageSection[];
}

function page(
  { title, command, summary, figures = [], meta, sections, links }: Page,
  { style, script, policy }: PageAssets,
): string {
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
<a class="skip" href="#main">Skip to the report</a>
<header>
<div class="bar"><p class="brand">webdata ${command}</p><button type="button" id="theme" class="no-print" hidden>Dark</button></div>
<h1${figures.length > 0 && markup` class="unseen"`}>${summary}</h1>
${figureList(figures)}
<p class="meta">${metaSpans(meta)}</p>
${contents(links)}
</header>
${main(sections)}<footer>Created by webdata ${meta.version}. This file loads and sends nothing.</footer>
<script type="module">${verbatim(script)}</script>
</body>
</html>
`;
  return whole.markup;
}
