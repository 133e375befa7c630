/** Reports as a self-contained HTML page: a summary, a flow chart of IPs, and a searchable list of them. It loads nothing. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hasChanges } from '../../sync/plan/plan.ts';
import { isDrift } from '../model/differences.ts';
import { portable } from '../model/locations.ts';
import { printable } from '../model/printable.ts';
import { isFailure, type Report, type ReportFormat } from '../model/report.ts';
import type { TextOptions } from '../text/style.ts';
import { commandOf, summaryOf } from '../text/summary.ts';
import { allocationSection } from './allocation.ts';
import { changeSections, resultSection } from './calls.ts';
import { type Content, type Markup, markup, verbatim } from './markup.ts';
import { moveSection } from './moveList.ts';
import { tracedMoves, zonePairs } from './moves.ts';
import { pictureSection } from './picture.ts';
import { noteSection, problemSection } from './problemList.ts';
import type { PageSection } from './tables.ts';

export const html: ReportFormat = (report, options) => {
  const safe = printable(portable(report));
  const sections = sectionsOf(safe, options);
  const title = `webdata ${commandOf(safe)}${[safe.account, safe.origin].map((part) => (part ? ` · ${part}` : '')).join('')}`;
  return page({ title, body: [header(safe, sections), main(sections), footer(safe)] });
};

function sectionsOf(report: Report, options: TextOptions): PageSection[] {
  const moves = tracedMoves(report);
  return [
    ...problemSection(report, options),
    ...resultSection(report, options),
    ...pictureSection(report, zonePairs(moves), options),
    ...allocationSection(report, moves, options),
    ...changeSections(report, options),
    ...noteSection(report, options),
    ...moveSection(moves),
  ];
}

function header(report: Report, sections: readonly PageSection[]): Markup {
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

/** Returns the state in one word. */
function stateOf(report: Report): ['done' | 'failed' | 'change', string] {
  if (report.about === 'run') return isFailure(report) ? ['failed', 'failed'] : ['done', 'done'];
  if (isFailure(report)) return ['failed', 'blocked'];
  if (report.mode !== 'drift') return hasChanges(report.plan) ? ['change', 'changes'] : ['done', 'no changes'];
  return report.plan.resources.some((each) => isDrift(each, report)) ? ['change', 'drift'] : ['done', 'no drift'];
}

function meta({ origin, account, version, createdAt }: Report): Content {
  const time =
    createdAt &&
    markup`<time datetime="${createdAt}">${createdAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')}</time>`;
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

function footer({ version }: Report): Markup {
  return markup`<footer>Created by webdata ${version}. This file loads and sends nothing.</footer>`;
}

export function page({ title, body }: { title: string; body: Content }): string {
  const [style, script] = [asset('page.css'), asset('page.js')];
  const whole = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(style, script)}">
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

function policy(style: string, script: string): string {
  return [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    `script-src '${hashOf(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Reads a file with LF line breaks, because browsers hash the text after they normalize its line breaks. */
function asset(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8').replaceAll('\r\n', '\n');
}
