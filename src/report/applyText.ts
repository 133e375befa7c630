/**
 * What an apply did: what went wrong, resource by resource with the calls that were made and those that were not, and the totals.
 * The calls of what went well stand in the plan, which was shown before.
 */

import { counted } from '../input/values.ts';
import type { Command } from '../sync/journal.ts';
import type { ApplyResult, ResourceResult } from '../sync/outcome.ts';
import { type ApplyTotals, applyTotals, hasFailed } from './applyTotals.ts';
import { heading } from './callRows.ts';
import { prose, table } from './layout.ts';
import { printable } from './printable.ts';
import { formatProblems } from './problems.ts';
import type { RunReport } from './report.ts';
import { madeRows, notMadeRows } from './resultRows.ts';
import { type Style, styleOf, type TextOptions } from './style.ts';

export function applyText({ result, command }: RunReport, options: TextOptions): string {
  const style = styleOf(options);
  const problems = result.resources.flatMap((resource) => resource.problems);
  const blocks = [
    printable(result.resources)
      .flatMap((resource) => resourceLines(resource, style))
      .join('\n'),
    formatProblems(problems, options),
    prose(lastLine(result, titles[command], style), options.width),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

const titles: Record<Command, string> = { apply: 'Apply', destroy: 'Destroy', undo: 'Undo' };

function resourceLines(resource: ResourceResult, style: Style): string[] {
  const { outcome, made, notMade } = resource;
  if (outcome === 'nothing') return [];
  const { red, yellow, green } = style.paint;
  const mark = {
    done: `  ${green('done')}`,
    failed: `  ${red('failed')}`,
    skipped: `  ${yellow('skipped: something failed before it')}`,
  };
  const calls = [...made.map(({ call }) => call), ...notMade];
  const head = heading(resource, calls, style) + mark[outcome];
  if (outcome === 'done' && !style.full) return [head];
  const rows = [...madeRows(made, style), ...notMadeRows(notMade, style)];
  return [head, ...table(rows, 2, style.width)];
}

/** One line, which scripts look for; only a terminal gets it broken. */
function lastLine(result: ApplyResult, title: string, { paint }: Style): string {
  const totals = applyTotals(result);
  const effects = effectParts(totals).join(', ');
  if (!hasFailed(result)) return `${paint.green(`${title}:`)} ${effects || 'nothing had to be done'}.`;
  const parts = [callParts(totals).join(', '), effects, ...problemParts(totals)].filter((part) => part !== '');
  return `${paint.red(`${title} failed:`)} ${parts.join('; ')}.`;
}

function effectParts({ ips, migrateCalls, settings, ports }: ApplyTotals): string[] {
  return [
    ...(ips > 0 ? [`${counted(ips, 'IP')} moved in ${counted(migrateCalls, 'call')}`] : []),
    ...(settings > 0 ? [`${counted(settings, 'setting')} changed`] : []),
    ...(ports > 0 ? [`${counted(ports, 'port')} deleted`] : []),
  ];
}

/** Of a run that failed, so that all of its calls are accounted for. */
function callParts({ calls, made, refused, unknown, notSent }: ApplyTotals): string[] {
  if (calls === 0) return ['no calls made'];
  return [
    `${made} of ${counted(calls, 'call')} made`,
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(unknown > 0 ? [`${unknown} not known`] : []),
    ...(notSent > 0 ? [`${notSent} not sent`] : []),
  ];
}

function problemParts({ problems }: ApplyTotals): string[] {
  return problems > 0 ? [`${counted(problems, 'problem')}, see above`] : [];
}
