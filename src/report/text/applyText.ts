/**
 * What an apply did: what went wrong, resource by resource with the calls that were made and those that were not, and the totals.
 * The calls of what went well stand in the plan, which was shown before.
 */
import type { ResourceResult } from '../../sync/run/outcome.ts';
import { printable } from '../model/printable.ts';
import type { RunReport } from '../model/report.ts';
import { runSummary } from './applySummary.ts';
import { heading } from './callRows.ts';
import { prose, table } from './layout.ts';
import { formatProblems } from './problems.ts';
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
    prose(runSummary({ result, command }, style, ', see above'), options.width),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

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
