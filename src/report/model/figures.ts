/** The figures of a plan, for the headline of a review. */
import { counted, formatNumber } from '../../base/diagnostics/valueWords.ts';
import { countMoves, hasChanges } from '../../engine/doors/plan.ts';
import { countCauses } from './causes.ts';
import { costOf, costWords } from './cost.ts';
import { type PlanReport, planSummary, problemsIn, type Report } from './report.ts';
import { totalParts } from './summary.ts';

export interface Figure {
  label: string;
  /** Undefined where there is a phrase only. */
  value?: string;
  /** Both in one phrase: `4 moves`. */
  text: string;
  isAlarm?: boolean;
}

/** Returns none for drift and runs, and for a plan without changes: their summary is a sentence. */
export function figuresOf(report: Report): Figure[] {
  if (report.about === 'run' || report.mode === 'drift') return [];
  const { plan, baseline } = report;
  const problems = problemsIn(report).length;
  if (!hasChanges(plan)) return [];
  const calls = plan.resources.reduce((sum, each) => sum + each.calls.length, 0);
  return [
    ...(problems > 0 ? [problemFigure(problems)] : []),
    { label: 'Moves', ...amount(countMoves(plan), 'move') },
    { label: 'Calls', ...amount(calls, 'call') },
    ...otherChanges(report),
    ...costFigure(report),
    ...(problems > 0 ? [] : [{ label: 'Problems', value: '0', text: 'no problems' }]),
    ...(baseline ? [driftFigure(report)] : []),
  ];
}

function amount(count: number, noun: string): Pick<Figure, 'value' | 'text'> {
  return { value: formatNumber(count), text: counted(count, noun) };
}

function problemFigure(count: number): Figure {
  return { label: 'Problems', value: formatNumber(count), text: counted(count, 'problem'), isAlarm: true };
}

/** Everything but moves, which are what may be charged. */
function otherChanges({ plan, mode }: PlanReport): Figure[] {
  const { totals } = planSummary(plan);
  const others = totals.filter(({ billed }) => !billed);
  const text = totalParts({ totals: others }, mode).join(', ');
  if (text === '') return [];
  const value = formatNumber(others.reduce((sum, { total, count }) => sum + (total.words ? count : 0), 0));
  return [{ label: 'Other changes', value, text }];
}

function costFigure(report: PlanReport): Figure[] {
  if (countMoves(report.plan) === 0) return [];
  const cost = costOf(report);
  if (cost === undefined) return [{ label: 'Cost', text: 'may incur charges' }];
  return [{ label: 'Cost', value: costWords(cost), text: costWords(cost) }];
}

function driftFigure({ plan }: PlanReport): Figure {
  const { drift, both } = countCauses(plan);
  const count = drift + both;
  return { label: 'Drift', value: formatNumber(count), text: count === 0 ? 'no drift' : `drift: ${count}` };
}
