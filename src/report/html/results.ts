/** What a run did and what it did not, resource by resource, in the words of the text report. */
import { formatPath } from '../../diagnostics/path.ts';
import type { ResourceResult } from '../../sync/run/outcome.ts';
import type { Report } from '../model/report.ts';
import { madeRows, notMadeRows } from '../text/resultRows.ts';
import { styleOf, type TextOptions } from '../text/style.ts';
import { type Content, markup } from './markup.ts';
import { foldedTable, type Section } from './tables.ts';

export function resultSection(report: Report, options: TextOptions): Section[] {
  if (report.about === 'plan' || report.result.resources.length === 0) return [];
  const body = report.result.resources.map((resource) => resultTable(resource, options));
  return [{ id: 'calls', title: 'What was done', body }];
}

const outcomes = {
  done: 'done',
  nothing: 'nothing had to be done',
  failed: 'failed',
  skipped: 'skipped: something failed before it',
} as const;

function resultTable({ collection, name, outcome, made, notMade }: ResourceResult, options: TextOptions): Content {
  const title = formatPath([collection, name]);
  const style = styleOf({ color: false, full: options.full });
  const rows = [...madeRows(made, style), ...notMadeRows(notMade, style)];
  const table = {
    caption: `Calls of ${title}`,
    head: markup`<th scope="col">Call</th><th scope="col">What became of it</th>`,
    rows: rows.map(
      ({ cells, words }) =>
        markup`<tr><th scope="row">${cells.join(' ').replaceAll('<-', '←')}</th><td>${told(words)}</td></tr>\n`,
    ),
    noun: 'row',
    open: 20,
    most: 500,
    leftOut: 'The JSON report has all of them.',
  };
  return [
    markup`<h3>${title} <span class="badge is-${outcome}">${outcomes[outcome]}</span></h3>\n`,
    rows.length > 0 && foldedTable(table, options),
  ];
}

/** Words that stand apart in a terminal begin with two spaces. */
function told(words: readonly string[]): string {
  return words.join(' ').replaceAll('   ', ' · ');
}
