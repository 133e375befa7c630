/** The words of `webdata triggers report`. */
import { counted } from '../../base/diagnostics/valueWords.ts';
import { printableLine } from '../../base/values/printable.ts';
import { costWords } from '../../report/model/cost.ts';
import type { Morning, ScheduleMorning } from './morning.ts';

export function morningText({ since, until, schedules, needsPerson }: Morning, currency: string | undefined): string {
  const lines = schedules.flatMap((each) => [
    headOf(each, currency),
    ...each.problems.map((problem) => `  ${problemText(problem)}`),
  ]);
  const end = needsPerson ? 'Something needs a person.' : 'Nothing needs a person.';
  return [`${since} to ${until}`, ...lines, end].map(printableLine).join('');
}

/** A table of the schedules, and a list of what went wrong. */
export function morningMarkdown(
  { since, until, schedules, needsPerson }: Morning,
  currency: string | undefined,
): string {
  const rows = schedules.map(
    (each) =>
      `| ${each.problems.length > 0 ? '❌' : '✅'} ${cell(`${each.owner}/${each.schedule}`)} | ${cell(runsText(each))} | ${rowsText(each)} | ${costText(each, currency)} |`,
  );
  const problems = schedules.flatMap(({ owner, schedule, problems: found }) =>
    found.map((problem) => `- **${cell(`${owner}/${schedule}`)}** ${cell(problemText(problem))}`),
  );
  return [
    `## Schedules from ${since} to ${until}`,
    '',
    '| schedule | runs | rows | cost |',
    '|---|---|---|---|',
    ...rows,
    '',
    ...(problems.length > 0 ? [...problems, ''] : []),
    needsPerson ? 'Something needs a person.' : 'Nothing needs a person.',
    '',
  ].join('\n');
}

function headOf(each: ScheduleMorning, currency: string | undefined): string {
  const facts = [runsText(each), rowsText(each), costText(each, currency)].filter((text) => text !== '');
  return `${each.owner}/${each.schedule}  ${facts.join(', ')}`;
}

function runsText({ runs, paused }: ScheduleMorning): string {
  const states = Object.entries(runs).map(([state, count]) => `${count} ${state}`);
  const total = Object.values(runs).reduce((sum, count) => sum + count, 0);
  return [
    ...(paused ? ['paused'] : []),
    total === 0 ? 'no run' : `${counted(total, 'run')}: ${states.join(', ')}`,
  ].join(', ');
}

function rowsText({ rows, usualRows }: ScheduleMorning): string {
  if (rows === null) return '';
  return `${counted(rows, 'row')}${usualRows === null ? '' : ` (usually ${usualRows})`}`;
}

function costText({ cost }: ScheduleMorning, currency: string | undefined): string {
  return cost === null || cost === 0 ? '' : costWords({ amount: cost, currency });
}

function problemText({ what, tickAt, run, reason }: ScheduleMorning['problems'][number]): string {
  return `${what} ${tickAt}${run === null ? '' : ` ${run}`}${reason === null ? '' : `: ${reason}`}`;
}

/** Text within a table or a list of Markdown. */
function cell(text: string): string {
  return text.replaceAll(/[\\|`*_<>[\]]/g, '\\$&').replaceAll(/\s+/g, ' ');
}
