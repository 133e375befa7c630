/** The summary sentence, which is the same in all formats. */

import { counted, does, formatNumber } from '../../base/diagnostics/valueWords.ts';
import type { Command } from '../../engine/doors/history.ts';
import { hasFailed, isDrift } from '../../engine/doors/plan.ts';
import type { PlanMode } from '../../kinds/seam/callWords.ts';
import { causeSentence, countCauses } from './causes.ts';
import { type Cost, costOf, costWords } from './cost.ts';
import { differingCounts } from './differences.ts';
import {
  type ApplyTotals,
  applyTotals,
  type PlanReport,
  type PlanSummary,
  planSummary,
  type Report,
  type RunReport,
} from './report.ts';
import { plainStyle, type Style } from './style.ts';

/** Returns the summary: `Plan: 3 IPs move in 2 calls (may incur charges).` It has no text from outside. */
export function summaryOf(report: Report): string {
  return report.about === 'plan' ? summaryLine(report, plainStyle) : runSummary(report, plainStyle);
}

/** Returns the summary with the command: `webdata plan: 3 IPs move`, `webdata apply failed: 1 of 4 calls made`. */
export function titledSummary(report: Report): string {
  const sentence = summaryOf(report);
  const command = commandOf(report);
  const isTitled = sentence.toLowerCase().startsWith(command);
  return isTitled ? `webdata ${command}${sentence.slice(command.length)}` : `webdata ${command}: ${sentence}`;
}

/** Returns the part of a report about one resource. */
export function onlyOf(report: PlanReport, resource: PlanReport['plan']['resources'][number]): PlanReport {
  return { ...report, plan: { resources: [resource] }, problems: [] };
}

/** Returns the command of a report: `plan`, `apply`. */
export function commandOf(report: Report): string {
  return report.about === 'plan' ? report.mode : report.command;
}

interface ModeWords {
  title: string;
  /** The whole sentence if there are no changes. */
  nothing: string;
  unmanaged(count: number): string;
  blocked(problems: number): string;
}

/** Returns the summary of a plan in one line. */
export function summaryLine(report: PlanReport, { paint }: Style): string {
  const { plan, mode } = report;
  const { totals, schedulesAmiss, unmanagedIps, ...counts } = planSummary(plan);
  const problems = counts.problems + report.problems.length;
  const differing = plan.resources.flatMap(differingCounts).length;
  const isDeclaration = mode === 'plan' || mode === 'drift';
  // The file may be empty by mistake, so this is not the same as no changes.
  if (isDeclaration && plan.resources.length === 0 && problems === 0) return paint.yellow('Nothing is declared.');
  const { title, nothing, unmanaged, blocked } = words[mode];
  const changes = [
    ...totalParts({ totals }, mode, costOf(report)),
    ...(mode === 'drift' && differing > 0 ? [does(differing, 'count', 'differs', 'differ')] : []),
    // Unhealthy schedules are drift although no call would correct them.
    ...(mode === 'drift' && schedulesAmiss > 0
      ? [does(schedulesAmiss, 'schedule', 'did not run as it should', 'did not run as they should')]
      : []),
  ];
  const left = unmanagedIps > 0 ? unmanaged(unmanagedIps) : '';
  const causes = isDeclaration ? causePart(report) : '';
  const isQuiet = mode === 'drift' ? !plan.resources.some((each) => isDrift(each, report)) : changes.length === 0;
  if (isQuiet && problems === 0)
    return [paint.green(nothing), ...present(left, causes).map((part) => `${part}.`)].join(' ');
  const total = present(...changes, left).join(' · ');
  // The failure comes first: nothing else happens until it is fixed.
  const first = problems === 0 ? [total] : [paint.red(blocked(problems)), total && `otherwise ${total}`];
  const parts = present(...first, causes);
  // A type of call may have no total of its own.
  return `${paint.bold(`${title}:`)} ${parts.join(' · ') || causeSentence(countCauses(plan))}.`;
}

/** Counts the causes, unless all changes of a plan are pending, or all differences are drift. */
function causePart({ plan, mode, baseline = false }: PlanReport): string {
  const counts = countCauses(plan, mode);
  if (!baseline) return counts.muted === 0 ? '' : causeSentence({ ...counts, drift: 0, pending: 0, both: 0 });
  const expected = mode === 'plan' ? 'pending' : 'drift';
  const isExpected = Object.entries(counts).every(([cause, count]) => cause === expected || count === 0);
  return isExpected ? '' : causeSentence(counts);
}

/** Returns a part for each total that is not zero: `2 IPs move in 1 call (may incur charges)`, or with a price `…, 0.20 USD`. */
export function totalParts({ totals }: Pick<PlanSummary, 'totals'>, mode: PlanMode, cost?: Cost): string[] {
  const charge = cost === undefined ? ' (may incur charges)' : `, ${costWords(cost)}`;
  return totals
    .filter(({ total, count }) => total.words !== undefined && count > 0)
    .map(({ total, count, calls, detail, billed }) => {
      const text = total.words?.planned(count, calls, mode) ?? '';
      return mode === 'drift' ? text : `${withDetail(text, detail)}${billed ? charge : ''}`;
    });
}

function withDetail(text: string, detail: string | undefined): string {
  return detail === undefined ? text : `${text}, ${detail}`;
}

function present(...parts: string[]): string[] {
  return parts.filter((part) => part !== '');
}

const plan: ModeWords = {
  title: 'Plan',
  nothing: 'No changes. Live state is as declared.',
  unmanaged: (count) => `${counted(count, 'unmanaged IP')} left`,
  blocked: (problems) => does(problems, 'problem', 'blocks this plan', 'block this plan'),
};

const words: Record<PlanMode, ModeWords> = {
  plan,
  drift: {
    title: 'Drift',
    nothing: 'No drift.',
    unmanaged: (count) => does(count, 'IP', 'is unmanaged', 'are unmanaged'),
    blocked: (problems) => does(problems, 'problem', 'prevents a full check', 'prevent a full check'),
  },
  destroy: { ...plan, title: 'Destroy', nothing: 'Nothing to destroy. Live state is unchanged.' },
  undo: { ...plan, title: 'Undo', nothing: 'Nothing to undo.' },
};

const titles: Record<Command, string> = { apply: 'Apply', destroy: 'Destroy', undo: 'Undo' };

/** Returns the summary of a run in one line. `where` says where the problems are shown. */
export function runSummary(
  { result, command }: Pick<RunReport, 'result' | 'command'>,
  { paint }: Style,
  where = '',
): string {
  const title = titles[command];
  const { totals, problems, ...calls } = applyTotals(result);
  const effects = totals
    .filter(({ total, count }) => total.words !== undefined && count > 0)
    .map(({ total, count, calls: callCount, detail }) => withDetail(total.words?.done(count, callCount) ?? '', detail))
    .join(', ');
  if (!hasFailed(result)) return `${paint.green(`${title}:`)} ${effects || 'nothing had to be done'}.`;
  const last = problems > 0 ? `${counted(problems, 'problem')}${where}` : '';
  return `${paint.red(`${title} failed:`)} ${present(callParts(calls).join(', '), effects, last).join('; ')}.`;
}

/** Accounts for all calls of a failed run. */
function callParts({ calls, made, refused, unknown, notSent }: Omit<ApplyTotals, 'totals' | 'problems'>): string[] {
  if (calls === 0) return ['no calls made'];
  return [
    `${formatNumber(made)} of ${counted(calls, 'call')} made`,
    ...(refused > 0 ? [`${formatNumber(refused)} refused`] : []),
    ...(unknown > 0 ? [`${formatNumber(unknown)} unknown`] : []),
    ...(notSent > 0 ? [`${formatNumber(notSent)} not sent`] : []),
  ];
}
