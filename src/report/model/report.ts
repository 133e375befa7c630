/** What every report is made from, whatever its format: a plan, or what a run did. One file a format turns it into text. */
import { mergeByCause, type Problem } from '../../diagnostics/problem.ts';
import type { PlanMode } from '../../kinds/callType.ts';
import { type Plan, problemsOf } from '../../sync/plan/plan.ts';
import type { Command } from '../../sync/run/journal.ts';
import type { ApplyResult } from '../../sync/run/outcome.ts';
import type { TextOptions } from '../text/style.ts';
import { hasFailed } from './applyTotals.ts';

export interface Meta {
  /** Of the API; empty where it is not known. */
  origin: string;
  /** Of the tool. */
  version: string;
  /** ISO 8601, in UTC. */
  createdAt?: string | undefined;
}

/** For drift, the plan is that of `driftIn`. */
export interface PlanReport extends Meta {
  about: 'plan';
  mode: PlanMode;
  /** Unmanaged IPs count as drift. */
  strict?: boolean | undefined;
  plan: Plan;
  /** What belongs to no resource: why there is no plan at all, such as a file that can't be read. */
  problems: readonly Problem[];
}

export interface RunReport extends Meta {
  about: 'run';
  command: Command;
  result: ApplyResult;
}

export type Report = PlanReport | RunReport;

/** A report as text. Only text for people looks at colours and widths; all look at `full`. */
export type Format = (report: Report, options: TextOptions) => string;

/** Returns all problems, those of no resource first, and each cause once. */
export function problemsIn(report: Report): Problem[] {
  if (report.about === 'run') return mergeByCause(report.result.resources.flatMap(({ problems }) => problems));
  return mergeByCause([...report.problems, ...problemsOf(report.plan)]);
}

/** Whether something stood in the way, or went wrong. */
export function isFailure(report: Report): boolean {
  return report.about === 'run' ? hasFailed(report.result) : problemsIn(report).length > 0;
}
