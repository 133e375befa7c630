/** The last line of a plan, of drift, of what a destroy or an undo would do: the same totals in their own words. */
import { does } from '../../diagnostics/valueWords.ts';
import type { PlanMode } from '../../kinds/callType.ts';
import { type PlanSummary, summarize } from '../../sync/plan/plan.ts';
import type { PlanReport } from '../model/report.ts';
import type { Style } from './style.ts';

interface Words {
  title: string;
  /** The whole sentence when there is nothing to do. */
  nothing: string;
  unmanaged(count: number): string;
}

/** One sentence on one line, which scripts look for; only a terminal gets it broken. */
export function summaryLine({ plan, problems, mode, strict = false }: PlanReport, { paint }: Style): string {
  const totals = summarize(plan);
  const summary = { ...totals, problems: totals.problems + problems.length };
  const { title, nothing, unmanaged } = words[mode];
  const changes = [...totalParts(summary, mode), ...amissParts(summary, mode)];
  const left = summary.unmanagedIps > 0 ? [unmanaged(summary.unmanagedIps)] : [];
  if (isEmpty({ plan, problems, mode })) return paint.yellow('Nothing is declared.');
  if (changes.length === 0 && summary.problems === 0 && !(strict && left.length > 0)) {
    return [paint.green(nothing), ...left.map((sentence) => `${sentence}.`)].join(' ');
  }
  const told = [...changes, ...left].join(', ');
  const obstacles =
    summary.problems > 0 ? paint.red(`${does(summary.problems, 'problem', 'stands', 'stand')} in the way`) : '';
  return `${paint.bold(`${title}:`)} ${[told, obstacles].filter((part) => part !== '').join('; ')}.`;
}

/** Not the same as being as declared: somebody may have emptied the file. */
function isEmpty({ plan, problems, mode }: Pick<PlanReport, 'plan' | 'problems' | 'mode'>): boolean {
  return plan.resources.length === 0 && problems.length === 0 && (mode === 'plan' || mode === 'drift');
}

/** `2 IPs move in 1 call (may incur charges)`, one part for each total that counts something. */
export function totalParts({ totals }: Pick<PlanSummary, 'totals'>, mode: PlanMode): string[] {
  return totals
    .filter(({ total, count }) => total.words !== undefined && count > 0)
    .map(({ total, count, calls, billed }) => {
      const charges = billed && mode !== 'drift' ? ' (may incur charges)' : '';
      return `${total.words?.planned(count, calls, mode)}${charges}`;
    });
}

/** Schedules that did not do what they should have are drift, though nothing would be called for them. */
function amissParts({ schedulesAmiss }: PlanSummary, mode: PlanMode): string[] {
  return mode === 'drift' && schedulesAmiss > 0
    ? [does(schedulesAmiss, 'schedule', 'did not run as it should', 'did not run as they should')]
    : [];
}

const plan: Words = {
  title: 'Plan',
  nothing: 'No changes. Live state is as declared.',
  unmanaged: (count) =>
    count === 1 ? '1 unmanaged IP is left where it is' : `${count} unmanaged IPs are left where they are`,
};

const words: Record<PlanMode, Words> = {
  plan,
  drift: {
    title: 'Drift',
    nothing: 'No drift.',
    unmanaged: (count) => does(count, 'IP', 'is unmanaged', 'are unmanaged'),
  },
  destroy: { ...plan, title: 'Destroy', nothing: 'Nothing to destroy. Live state stays as it is.' },
  undo: { ...plan, title: 'Undo', nothing: 'Nothing to undo.' },
};
