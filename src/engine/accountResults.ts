/** The results of operations on an account, as data: reports draw them. */
import { mergeByCause, type Problem } from '../base/diagnostics/problem.ts';
import type { PlanMode } from '../kinds/seam/callWords.ts';
import type { Neighbour } from './baseline/neighbours.ts';
import type { Prices } from './declaration/prices.ts';
import { type Plan, problemsOf } from './plan/plan.ts';
import type { PlanFile } from './plan/planFile.ts';
import type { ApplyResult } from './run/applyResult.ts';
import type { Command, Run, RunMeta } from './run/journal.ts';

/** A plan. For drift, `plan` is the result of `driftIn`. */
export interface PlanOutcome extends RunMeta {
  about: 'plan';
  mode: PlanMode;
  /** Unmanaged IPs count as drift. */
  strict?: boolean | undefined;
  /** Pending changes count as drift. */
  pending?: boolean | undefined;
  /** True if the differences were compared with a baseline; false if there was none. Undefined for plans that are not compared. */
  baseline?: boolean | undefined;
  plan: Plan;
  /** The prices of the declaration. */
  prices?: Prices | undefined;
  /** Problems that belong to no resource, such as a declaration from which all resources of a kind are gone. */
  problems: readonly Problem[];
  /** Problems that block nothing, such as an exception that has expired. */
  warnings?: readonly Problem[] | undefined;
  /** The other declarations of the account that have resources. */
  neighbours?: readonly Neighbour[] | undefined;
  /** The files of the declaration. */
  files?: readonly string[] | undefined;
}

/** Returns the problems of a plan, those of no resource first, and each cause once. */
export function planProblems({ problems, plan }: Pick<PlanOutcome, 'problems' | 'plan'>): Problem[] {
  return mergeByCause([...problems, ...problemsOf(plan)]);
}

export interface RunOutcome extends RunMeta {
  about: 'run';
  command: Command;
  result: ApplyResult;
}

export interface AccountPlan {
  report: PlanOutcome;
  /** The problems that block calls: those of the resources, and those that belong to none. */
  problems: Problem[];
  /** The run that an undo undoes. */
  undone?: Run | undefined;
  /** Returns the plan for `openAccount({ planFile })`; undefined if there are problems. */
  planFile(): PlanFile | undefined;
}

export interface AccountDrift {
  report: PlanOutcome;
  /** The plan of all changes, drift or not. */
  plan: AccountPlan;
  problems: Problem[];
  /** True if the live state is not as it was applied. A plan of the drift has pending changes too. */
  isDrifted: boolean;
}

export interface AccountRun {
  /**
   * `applied`: all calls were made. `unchanged`: none was needed. `declined`: `approve` returned false. `refused`: problems block the plan, and
   * nothing was sent. `failed`: some calls were not made or are unknown, or the run could not be recorded completely.
   */
  status: 'applied' | 'unchanged' | 'declined' | 'refused' | 'failed';
  plan: AccountPlan;
  /** The run; undefined if nothing was sent. */
  run?: { id: string; report: RunOutcome };
  /** The problems of recording the run: its report still says what was done. */
  unrecorded: Problem[];
}
