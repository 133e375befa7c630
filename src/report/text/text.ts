/** Reports as text for a terminal. */

import { counted } from '../../diagnostics/valueWords.ts';
import type { Note } from '../../kinds/kind.ts';
import { isUnmanaged } from '../../kinds/knownNotes.ts';
import type { ResourcePlan } from '../../sync/plan/plan.ts';
import type { ResourceResult } from '../../sync/run/outcome.ts';
import { type AccountsFormat, accountState, accountsSummary, type FormatFunctions } from '../model/accounts.ts';
import { baselineRemark, type CauseGroup, causeGroups } from '../model/causes.ts';
import { printable, printableText } from '../model/printable.ts';
import { type PlanReport, problemsIn, type ReportFormat, type RunReport } from '../model/report.ts';
import { heading, plannedRows } from './callRows.ts';
import { hanging, prose, table } from './layout.ts';
import { madeRows, notMadeRows } from './outcomes.ts';
import { formatProblems } from './problems.ts';
import { consecutive, listed, type Style, shortened, styleOf, type TextOptions } from './style.ts';
import { runSummary, summaryLine, summaryOf } from './summary.ts';

export const textReport: ReportFormat = (report, options) => {
  const text = report.about === 'run' ? applyText(report, options) : planText(report, options);
  return report.account === undefined ? text : `Account: ${printableText(report.account)}\n\n${text}`;
};

/** Formats a section for each account, then a table of all. */
const accountsText: AccountsFormat = (report, options) => {
  const style = styleOf(options);
  const { bold, dim } = style.paint;
  const sections = report.accounts.flatMap(({ account, file, report: last, before, isShown = true }) => {
    const head = `${bold(`== ${printableText(account)} ==`)}  ${dim(printableText(file))}`;
    const texts = [...(before ? [before] : []), last].map((each) =>
      textReport({ ...each, account: undefined }, options),
    );
    return isShown ? [`${head}\n\n${texts.join('\n')}`] : [];
  });
  const rows = report.accounts.map((each) => {
    const { kind, words } = accountState(each);
    const state = { done: style.paint.green, failed: style.paint.red, change: style.paint.yellow }[kind](words);
    return { cells: [printableText(each.account), state], words: summaryOf(each.report).split(' ') };
  });
  const summary = `${table(rows, 0, style.width).join('\n')}\n\n${prose(accountsSummary(report), options.width)}\n`;
  return [...sections, summary].join('\n');
};

export const textFormat: FormatFunctions = { one: textReport, accounts: accountsText };

/** Formats a plan: the calls, changes and notes of each resource, then problems and the summary. Skips resources without any. */
export function planText(report: PlanReport, options: TextOptions): string {
  const style = styleOf(options);
  const blocks = [
    printable(report.plan)
      .resources.flatMap((resource) => plannedLines(resource, report, style))
      .join('\n'),
    formatProblems(problemsIn(report), options),
    formatProblems(report.warnings ?? [], options),
    prose(baselineRemark(report) ?? '', options.width),
    prose(summaryLine(report, style), options.width),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function plannedLines(resource: ResourcePlan, report: PlanReport, style: Style): string[] {
  const { calls, notes, problems } = resource;
  const rows = table(plannedRows(resource, style), 2, style.width);
  const lines = [...rows, ...causeLines(causeGroups(resource, report), style), ...noteLines(notes, style)];
  // The problems themselves come last, beside the totals, where they are visible without scrolling.
  if (problems.length > 0) lines.push(`  ${style.paint.red(`${counted(problems.length, 'problem')}, see below`)}`);
  return lines.length === 0 ? [] : [heading(resource, calls, style), ...lines];
}

/** Names the differences of each cause: `drift: logs`. */
function causeLines(groups: readonly CauseGroup[], style: Style): string[] {
  const paints = { drift: style.paint.red, both: style.paint.red, pending: style.paint.cyan, muted: style.paint.dim };
  return groups.flatMap(({ cause, label, items, remark }) => {
    const words = [...listed(items, style), ...(remark === undefined ? [] : `(${remark})`.split(' '))];
    return hanging(`  ${paints[cause](`${label}:`)} `, words, 4, style.width);
  });
}

const fewNotes = 3;

function noteLines(notes: readonly Note[], style: Style): string[] {
  const label = `  ${style.paint.cyan('note:')} `;
  return consecutive(notes, (a, b) => a.code === b.code).flatMap((alike) => {
    const { shown, more } = shortened(alike, fewNotes, style);
    const texts = shown.map((note) => noteWords(note, style));
    if (more > 0) texts.push(`… and ${more} more of this kind (${alike[0]?.code})`.split(' ').map(style.paint.dim));
    return texts.flatMap((words) => hanging(label, words, 4, style.width));
  });
}

const fewIps = 3;

/** Adds the IPs of unmanaged notes, whose texts do not name them because there may be thousands. */
function noteWords(note: Note, style: Style): string[] {
  const { text, ips = [] } = note;
  const isListed = isUnmanaged(note) && (style.full || ips.length <= fewIps);
  return isListed ? [...`${text}:`.split(' '), ...listed(ips, style)] : text.split(' ');
}

export function applyText({ result, command }: RunReport, options: TextOptions): string {
  const style = styleOf(options);
  const problems = result.resources.flatMap((resource) => resource.problems);
  const blocks = [
    printable(result.resources)
      .flatMap((resource) => resultLines(resource, style))
      .join('\n'),
    formatProblems(problems, options),
    prose(runSummary({ result, command }, style, ', see above'), options.width),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function resultLines(resource: ResourceResult, style: Style): string[] {
  const { outcome, made, notMade } = resource;
  if (outcome === 'nothing') return [];
  const { red, yellow, green } = style.paint;
  const mark = {
    done: `  ${green('done')}`,
    failed: `  ${red('failed')}`,
    skipped: `  ${yellow('skipped: an earlier call failed')}`,
  };
  const calls = [...made.map(({ call }) => call), ...notMade];
  const head = heading(resource, calls, style) + mark[outcome];
  if (outcome === 'done' && !style.full) return [head];
  const rows = [...madeRows(made, style), ...notMadeRows(notMade, style)];
  return [head, ...table(rows, 2, style.width)];
}
