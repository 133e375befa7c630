/** The last line of a plan, of drift, of what a destroy or an undo would do: the same totals in their own words. */
import { counted } from '../input/values.ts';
import { mayIncurCharges } from '../resources/call.ts';
import { type Plan, type PlanSummary, summarize } from '../sync/plan.ts';
import type { PlanMode, PlanReport } from './report.ts';
import type { Style } from './style.ts';
import { does } from './words.ts';

interface Words {
  title: string;
  /** Said where there is nothing to do. */
  nothing: string;
  ips(summary: PlanSummary, charges: string): string;
  settings(count: number): string;
  ports(count: number): string;
  registrations(count: number): string;
  removals(count: number): string;
  unmanaged(count: number): string;
}

/** One sentence on one line, which scripts look for; only a terminal gets it broken. */
export function summaryLine({ plan, problems, mode, strict = false }: PlanReport, { paint }: Style): string {
  const totals = summarize(plan);
  const summary = { ...totals, problems: totals.problems + problems.length };
  const { title, nothing, unmanaged } = words[mode];
  const changes = [...changeParts(summary, words[mode], chargesOf(plan)), ...amissParts(summary, mode)];
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

function changeParts(summary: PlanSummary, words: Words, charges: string): string[] {
  const { ips, settings, ports, registrations, removals } = words;
  return [
    ...(summary.ips > 0 ? [ips(summary, charges)] : []),
    ...(summary.settings > 0 ? [settings(summary.settings)] : []),
    ...(summary.ports > 0 ? [ports(summary.ports)] : []),
    ...(summary.registrations > 0 ? [registrations(summary.registrations)] : []),
    ...(summary.removals > 0 ? [removals(summary.removals)] : []),
  ];
}

/** Schedules that did not do what they should have are drift, though nothing would be called for them. */
function amissParts({ schedulesAmiss }: PlanSummary, mode: PlanMode): string[] {
  return mode === 'drift' && schedulesAmiss > 0
    ? [does(schedulesAmiss, 'schedule', 'did not run as it should', 'did not run as they should')]
    : [];
}

function chargesOf({ resources }: Plan): string {
  return resources.some(({ calls }) => calls.some(mayIncurCharges)) ? ' (may incur charges)' : '';
}

const plan: Words = {
  title: 'Plan',
  nothing: 'No changes. Live state is as declared.',
  ips: ({ ips, migrateCalls }, charges) =>
    `${does(ips, 'IP', 'moves', 'move')} in ${counted(migrateCalls, 'call')}${charges}`,
  settings: (count) => does(count, 'setting', 'changes', 'change'),
  ports: (count) => does(count, 'port', 'is deleted', 'are deleted'),
  registrations: (count) => does(count, 'registration', 'changes', 'change'),
  removals: (count) => does(count, 'registration', 'is removed', 'are removed'),
  unmanaged: (count) =>
    count === 1 ? '1 unmanaged IP is left where it is' : `${count} unmanaged IPs are left where they are`,
};

const words: Record<PlanMode, Words> = {
  plan,
  drift: {
    title: 'Drift',
    nothing: 'No drift.',
    ips: ({ ips }) => does(ips, 'IP', 'is not where it is declared', 'are not where they are declared'),
    settings: (count) => does(count, 'setting', 'differs', 'differ'),
    ports: (count) => does(count, 'port', 'exists that must not', 'exist that must not'),
    registrations: (count) => does(count, 'registration', 'differs', 'differ'),
    removals: (count) => does(count, 'registration', 'is not declared', 'are not declared'),
    unmanaged: (count) => does(count, 'IP', 'is unmanaged', 'are unmanaged'),
  },
  destroy: {
    ...plan,
    title: 'Destroy',
    nothing: 'Nothing to destroy. Live state stays as it is.',
    ips: ({ ips, migrateCalls }, charges) =>
      `${does(ips, 'IP', 'is released', 'are released')} in ${counted(migrateCalls, 'call')}${charges}`,
  },
  undo: {
    ...plan,
    title: 'Undo',
    nothing: 'Nothing to undo.',
    ips: ({ ips, migrateCalls }, charges) =>
      `${does(ips, 'IP', 'moves back', 'move back')} in ${counted(migrateCalls, 'call')}${charges}`,
    settings: (count) => does(count, 'setting', 'changes back', 'change back'),
  },
};
