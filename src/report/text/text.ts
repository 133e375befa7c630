/** Reports as text for a terminal. */

import { counted, formatNumber } from '../../base/diagnostics/valueWords.ts';
import type { PlanMode } from '../../kinds/seam/callWords.ts';
import { type AccountsFormat, accountsSummary, accountsTable, printableFormat } from '../model/accounts.ts';
import { type CauseGroup, comparisonRemarks } from '../model/causes.ts';
import { countedIps } from '../model/differences.ts';
import { type PlanReport, problemsIn, type Report, type ReportFormat, warningsIn } from '../model/report.ts';
import { type ReportedNote, type ReportedResource, reportedResources } from '../model/resources.ts';
import { outcomeStates } from '../model/results.ts';
import type { TableSection } from '../model/sectionTypes.ts';
import { consecutive, listed, type Style, shortened, styleOf, type TextOptions } from '../model/style.ts';
import { runSummary, summaryLine } from '../model/summary.ts';
import type { Cell, ReportState } from '../model/tables.ts';
import { changedZones, countryWords } from '../model/zones.ts';
import { heading, plannedRows } from './callRows.ts';
import { hanging, prose, type TextRow, table } from './layout.ts';
import { outcomeRows } from './outcomeRows.ts';
import { formatProblems } from './problems.ts';

const textReport: ReportFormat = (report, options) => {
  const text = reportText(report, options);
  // A terminal also shows what the plan is about and what to do next. Scripts read the rest.
  if (report.about === 'plan' && options.width !== undefined) {
    const next = nextLines(report.next ?? [], styleOf(options));
    return `${headLine(report, options)}\n\n${text}${next}`;
  }
  return report.account === undefined ? text : `Account: ${report.account}\n\n${text}`;
};

/** Formats a section for each account, then a table of all. */
const accountsText: AccountsFormat = (report, options) => {
  const style = styleOf(options);
  const { bold, dim } = style.paint;
  const sections = report.accounts.map(({ account, file, report: last, before }) => {
    const head = `${bold(`== ${account} ==`)}  ${dim(file)}`;
    const texts = [...(before ? [before] : []), last].map((each) =>
      textReport({ ...each, account: undefined }, options),
    );
    return `${head}\n\n${texts.join('\n')}`;
  });
  const summary = `${table(textRows(accountsTable(report), style), 0, style.width).join('\n')}\n\n${prose(accountsSummary(report), options.width)}\n`;
  return [...sections, summary].join('\n');
};

/** Returns the rows of a table, whose last column wraps. */
function textRows({ items }: TableSection, style: Style): TextRow[] {
  return items.map(({ cells }) => {
    const texts = cells().map((cell) => cellText(cell, style));
    return { cells: texts.slice(0, -1), words: texts.at(-1)?.split(' ') ?? [] };
  });
}

function cellText(cell: Cell, style: Style): string {
  if (typeof cell !== 'object') return String(cell);
  if ('change' in cell) return String(cell.change);
  return 'name' in cell ? cell.name : stateText(cell, style);
}

function stateText({ kind, words }: ReportState, { paint }: Style): string {
  return { done: paint.green, failed: paint.red, change: paint.yellow }[kind](words);
}

export const textFormat = printableFormat({ one: textReport, accounts: accountsText });

/** Names the account and the declaration: `Account acme at https://api.example.com, declared in webdata.yaml`. */
function headLine(report: PlanReport, options: TextOptions): string {
  const { account, origin, files = [], mode } = report;
  const { paint } = styleOf(options);
  const parts = [
    ['Account', ...(account === undefined ? [] : [paint.bold(account)]), ...(origin === '' ? [] : ['at', origin])],
    ...(files.length === 0 ? [] : [[mode === 'undo' ? 'guarded by' : 'declared in', paint.bold(files.join(', '))]]),
  ];
  const line = parts.filter((words) => words.length > 1).map((words) => words.join(' '));
  const problems = problemsIn(report).length;
  const blocked = problems > 0 ? [paint.red(`${counted(problems, 'problem')}: see the end`)] : [];
  return prose([line.join(', '), ...blocked].filter((text) => text !== '').join('. '), options.width);
}

function nextLines(commands: readonly string[], { paint }: Style): string {
  const lines = commands.map((command, index) => `${index === 0 ? paint.dim('Next:') : '     '} ${command}\n`);
  return lines.length === 0 ? '' : `\n${lines.join('')}`;
}

/** Formats each resource, then the problems and the summary. */
export function reportText(report: Report, options: TextOptions): string {
  const style = styleOf(options);
  const resources = reportedResources(report, style);
  const isRun = report.about === 'run';
  const blocks = [
    ...(isRun
      ? [resources.flatMap((each) => resultLines(each, style)).join('\n')]
      : planBlocks(resources, report, style)),
    formatProblems(problemsIn(report), { ...options, docs: true }),
    formatProblems(warningsIn(report), { ...options, docs: true }),
    ...(isRun ? [] : comparisonRemarks(report).map((remark) => prose(remark, options.width))),
    prose(isRun ? runSummary(report, style, ', see above') : summaryLine(report, style), options.width),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function resultLines(resource: ReportedResource, style: Style): string[] {
  const { outcome = 'nothing', calls } = resource;
  if (outcome === 'nothing') return [];
  const head = `${heading(resource, style)}  ${stateText(outcomeStates[outcome], style)}`;
  return outcome === 'done' && !style.full ? [head] : [head, ...table(outcomeRows(calls, style), 2, style.width)];
}

/** Returns the zones, calls, causes and notes of each resource. Skips resources without any. */
function planBlocks(resources: readonly ReportedResource[], { mode }: PlanReport, style: Style): string[] {
  let first = 1;
  return resources.flatMap((resource) => {
    const lines = plannedLines(resource, mode, first, style);
    first += resource.calls.length;
    return lines.length === 0 ? [] : [lines.join('\n')];
  });
}

function plannedLines(resource: ReportedResource, mode: PlanMode, first: number, style: Style): string[] {
  const { causes, notes, problems } = resource;
  const rows = plannedRows(resource, style, mode === 'drift' ? { mode } : { mode, first });
  const { shown, more } = shortened(rows, fewRows, style);
  const blocks = [
    table(zoneRows(resource, style), 2, style.width),
    table(countRows(resource, style), 2, style.width),
    [
      ...table(shown, 2, style.width),
      ...(more > 0 ? [style.paint.dim(`  … and ${counted(more, 'more row')}: --full shows them`)] : []),
    ],
    causeLines(causes, style),
    [
      ...noteLines(notes, style),
      // The problems themselves come last, beside the totals, where they are visible without scrolling.
      ...(problems.length > 0 ? [`  ${style.paint.red(`${counted(problems.length, 'problem')}, see below`)}`] : []),
    ],
  ].filter((lines) => lines.length > 0);
  if (blocks.length === 0) return [];
  const isLong = blocks.flat().length > fewLines;
  return [
    heading(resource, style),
    ...blocks.flatMap((lines, index) => (isLong && index > 0 ? ['', ...lines] : lines)),
  ];
}

/** Longer tables of calls and zones are cut: the total is in the last line, and `--full` shows all of them. */
const fewRows = 20;
const fewZones = 20;
/** Longer resources have empty lines between zones, calls and notes. */
const fewLines = 4;

/** Returns a row for each zone that changes: `checkout  30 → 32 IPs  us 28 → 30`. */
function zoneRows({ inventory }: ReportedResource, style: Style): TextRow[] {
  const { paint } = style;
  const { shown, more } = shortened(changedZones(inventory), fewZones, style);
  const width = (side: 'before' | 'after') => Math.max(...shown.map((each) => formatNumber(each[side]).length));
  const [before, after] = [width('before'), width('after')];
  const rows = shown.map((zone): TextRow => {
    const [left, right] = [formatNumber(zone.before).padStart(before), formatNumber(zone.after).padStart(after)];
    return { cells: [paint.bold(zone.zone), `${left} → ${right} IPs`], words: countryWords(zone, style) };
  });
  if (more === 0) return rows;
  return [...rows, { cells: [paint.dim(`… and ${counted(more, 'more zone')}: --full shows them`)], words: [] }];
}

/** Returns a row for each count that differs: `checkout  us  19 live, 20 declared`. */
function countRows({ counts }: ReportedResource, { paint }: Style): TextRow[] {
  return counts.map((count) => ({
    cells: [paint.bold(count.zone), countedIps(count)],
    words: `${formatNumber(count.live)} live, ${formatNumber(count.declared)} declared`.split(' '),
  }));
}

/** Names the differences of each cause: `drift: logs`, and runs that made them. */
function causeLines(groups: readonly CauseGroup[], style: Style): string[] {
  const paints = { drift: style.paint.red, both: style.paint.red, pending: style.paint.cyan, muted: style.paint.dim };
  return groups.flatMap(({ cause, label, items, remark }) => {
    const words = [...listed(items, style, ';'), ...(remark === undefined ? [] : [`(${remark})`])].join(' ').split(' ');
    return hanging(`  ${paints[cause](`${label}:`)} `, words, 4, style.width);
  });
}

const fewNotes = 3;

function noteLines(notes: readonly ReportedNote[], style: Style): string[] {
  const label = `  ${style.paint.cyan('note:')} `;
  return consecutive(notes, (a, b) => a.code === b.code).flatMap((alike) => {
    const { shown, more } = shortened(alike, fewNotes, style);
    const texts = shown.map((note) => noteWords(note, style));
    if (more > 0)
      texts.push(`… and ${formatNumber(more)} more of this kind (${alike[0]?.code})`.split(' ').map(style.paint.dim));
    return texts.flatMap((words) => hanging(label, words, 4, style.width));
  });
}

const fewIps = 3;

/** Adds the IPs that the text does not name. */
function noteWords({ text, ips }: ReportedNote, style: Style): string[] {
  const isListed = ips.length > 0 && (style.full || ips.length <= fewIps);
  return isListed ? [...`${text}:`.split(' '), ...listed(ips, style)] : text.split(' ');
}
