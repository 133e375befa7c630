/** The last line of an apply, a destroy or an undo: what was done, and what was not. */
import { counted } from '../../diagnostics/valueWords.ts';
import type { Command } from '../../sync/run/journal.ts';
import { type ApplyTotals, applyTotals, hasFailed } from '../model/applyTotals.ts';
import type { RunReport } from '../model/report.ts';
import type { Style } from './style.ts';

const titles: Record<Command, string> = { apply: 'Apply', destroy: 'Destroy', undo: 'Undo' };

/** One sentence on one line, which scripts look for; only a terminal gets it broken. `where` the problems are told, if any. */
export function runSummary(
  { result, command }: Pick<RunReport, 'result' | 'command'>,
  { paint }: Style,
  where = '',
): string {
  const title = titles[command];
  const totals = applyTotals(result);
  const effects = effectParts(totals).join(', ');
  if (!hasFailed(result)) return `${paint.green(`${title}:`)} ${effects || 'nothing had to be done'}.`;
  const parts = [callParts(totals).join(', '), effects, ...problemParts(totals, where)].filter((part) => part !== '');
  return `${paint.red(`${title} failed:`)} ${parts.join('; ')}.`;
}

function effectParts({ totals }: ApplyTotals): string[] {
  return totals
    .filter(({ total, count }) => total.words !== undefined && count > 0)
    .map(({ total, count, calls }) => total.words?.done(count, calls) ?? '');
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

function problemParts({ problems }: ApplyTotals, where: string): string[] {
  return problems > 0 ? [`${counted(problems, 'problem')}${where}`] : [];
}
