/** The model of every report: a plan, or the result of a run. Each format is a function of it. */
import { mergeByCause, type Problem } from '../../base/diagnostics/problem.ts';
import {
  type ApplyResult,
  hasFailed,
  type Plan,
  type PlanOutcome,
  planProblems,
  type RunOutcome,
  type StartedBy,
} from '../../engine/doors/plan.ts';
import { effectOf, outcomeOf } from '../../kinds/knownCalls.ts';
import { isUnhealthy, isUnmanaged } from '../../kinds/knownNotes.ts';
import type { CallOutcome } from '../../kinds/seam/call.ts';
import type { PlanMode, Tally } from '../../kinds/seam/callWords.ts';
import { type CountedTotal, tallyOf, totalsOf } from '../../kinds/shownCalls.ts';
import { version } from '../../version.ts';
import type { TextOptions } from './style.ts';

export interface Meta {
  /** The origin of the API; empty if it is not known. */
  origin: string;
  /** The version of this tool. */
  version: string;
  /** The declared name of the account. */
  account?: string | undefined;
  /** ISO 8601, in UTC. */
  createdAt?: string | undefined;
  /** The files of the declaration. */
  files?: readonly string[] | undefined;
  /** The maker of the report, and the commit. */
  by?: StartedBy | undefined;
}

export interface PlanReport extends Meta, PlanOutcome {
  /** Commands of which a user may run one next, for the text format. */
  next?: readonly string[] | undefined;
}

/** Returns the report of a plan that could not be made. */
export function unplanned(mode: PlanMode, problems: readonly Problem[]): PlanReport {
  return { about: 'plan', mode, plan: { resources: [] }, problems, origin: '', version };
}

export interface RunReport extends Meta, RunOutcome {}

export type Report = PlanReport | RunReport;

/** Formats a report. Only the text format uses `color` and `width`; all use `full`. */
export type ReportFormat = (report: Report, options: TextOptions) => string;

/** Returns all problems, those of no resource first, and each cause once. */
export function problemsIn(report: Report): Problem[] {
  if (report.about === 'run') return mergeByCause(report.result.resources.flatMap(({ problems }) => problems));
  return planProblems(report);
}

/** Returns the problems that block nothing. */
export function warningsIn(report: Report): Problem[] {
  return report.about === 'run' ? [] : [...(report.warnings ?? [])];
}

/** Reports whether the report has problems, or the run failed. */
export function isFailure(report: Report): boolean {
  return report.about === 'run' ? hasFailed(report.result) : problemsIn(report).length > 0;
}

/** The totals of a plan, for its last line and for programs. */
export interface PlanSummary {
  /** The changes, counted by the types of calls. */
  totals: CountedTotal[];
  /** The number of things to add, to change and to remove. IPs that move are not counted. */
  tally: Tally;
  /** Schedules that missed a tick, or whose last scheduled run is unknown. */
  schedulesAmiss: number;
  unmanagedIps: number;
  problems: number;
}

export function planSummary({ resources }: Plan): PlanSummary {
  const calls = resources.flatMap((resource) => resource.calls);
  return {
    totals: totalsOf(calls),
    tally: tallyOf(calls),
    schedulesAmiss: resources.filter(({ notes }) => notes.some(isUnhealthy)).length,
    unmanagedIps: resources.flatMap(({ notes }) => notes.flatMap((note) => (isUnmanaged(note) ? (note.ips ?? []) : [])))
      .length,
    problems: mergeByCause(resources.flatMap(({ problems }) => problems)).length,
  };
}

export interface ApplyTotals {
  /** All planned calls, sent or not. */
  calls: number;
  /** Calls that took effect, at least in part: done, accepted, partly, or unknown with IPs that are known to have moved. */
  made: number;
  refused: number;
  /** Calls with no known effect. */
  unknown: number;
  notSent: number;
  /** The known changes, counted by the types of calls. */
  totals: CountedTotal[];
  problems: number;
}

export function applyTotals({ resources }: ApplyResult): ApplyTotals {
  const made = resources.flatMap((resource) => resource.made);
  const notSent = resources.reduce((sum, { notMade }) => sum + notMade.length, 0);
  const count = (...outcomes: CallOutcome[]) => made.filter((call) => outcomes.includes(outcomeOf(call))).length;
  const partlyKnown = made.filter((call) => outcomeOf(call) === 'unknown' && effectOf(call).length > 0).length;
  return {
    calls: made.length + notSent,
    made: count('done', 'accepted', 'partly') + partlyKnown,
    refused: count('refused'),
    unknown: count('unknown') - partlyKnown,
    notSent,
    totals: totalsOf(made.flatMap(effectOf)),
    problems: mergeByCause(resources.flatMap(({ problems }) => problems)).length,
  };
}
