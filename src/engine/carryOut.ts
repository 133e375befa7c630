/** Carries out a plan for apply, destroy and undo: journals the run, makes the calls, and records the end and the baseline. */

import type { Problem } from '../base/diagnostics/problem.ts';
import type { PlanMode } from '../kinds/seam/callWords.ts';
import type { AccountPlan, AccountRun, RunOutcome } from './accountResults.ts';
import type { Confirmed } from './baseline/baseline.ts';
import { updateBaseline } from './baseline/baselineDocument.ts';
import { confirmedByApply } from './baseline/confirmed.ts';
import { agreedRemoval } from './baseline/gone.ts';
import type { PlanningContext } from './context.ts';
import { explainedProblems } from './explainedProblems.ts';
import type { PlanningOptions } from './options.ts';
import { hasChanges, type Plan } from './plan/plan.ts';
import { planOf } from './plan/planner.ts';
import { type Intent, isRefused, type Planned } from './plan/resources.ts';
import { accountPlan } from './planAccount.ts';
import { ActiveRun, type CallEvent } from './run/activeRun.ts';
import { applyPlanned } from './run/apply.ts';
import { type ApplyResult, hasFailed } from './run/applyResult.ts';
import type { Command, Run, RunHeader, RunWriter } from './run/journal.ts';
import { shortRunId } from './run/runId.ts';

export interface Execution {
  plan: Plan;
  /** The resources of the plan; undefined for an undo, which has no plan file. */
  planned?: readonly Planned[] | undefined;
  /** The plan is shown, and no call is made. */
  refused: boolean;
  mode: PlanMode;
  header: Pick<RunHeader, 'plan' | 'undoes'> & { command: Command };
  /** The run that an undo undoes. */
  undone?: Run | undefined;
  act(run: ActiveRun): Promise<ApplyResult>;
  /** Returns what the baseline learns from the run. Without a result, there was nothing to do. */
  confirmed(result: ApplyResult | undefined): Confirmed[];
}

/**
 * Describes an apply or destroy. A declaration that cannot be met stops everything before the first call; live state that cannot be
 * read stops only its own resource.
 */
export function executionOf(
  planned: readonly Planned[],
  intent: Intent,
  { config, session, missing, neighbours }: PlanningContext,
  {
    parallelism,
    select,
    zone,
    allowRemoved = false,
  }: Pick<PlanningOptions, 'parallelism' | 'select' | 'zone' | 'allowRemoved'>,
): Execution {
  // An apply of the whole declaration agrees to its removals, but not to the last one of a kind unnoticed.
  const isWhole = intent === 'update' && select === undefined;
  const removed = missing.filter(({ isEmptied }) => isWhole && (allowRemoved || !isEmptied));
  const gone = isWhole && allowRemoved ? neighbours.filter(({ isGone }) => isGone) : [];
  return {
    plan: planOf(planned),
    planned,
    refused: isRefused(planned),
    mode: intent === 'delete' ? 'destroy' : 'plan',
    header: { command: intent === 'delete' ? 'destroy' : 'apply' },
    act: (run) => applyPlanned(planned, config, session, run, parallelism),
    confirmed: (result) => [
      ...removed.map((resource): Confirmed => ({ is: 'removed', resource })),
      ...gone.flatMap(agreedRemoval),
      // What touches none of the zones was neither made nor judged.
      ...(zone === undefined ? confirmedByApply(planned, result) : []),
    ],
  };
}

/** Options of an execution. */
export interface SendingOptions {
  /** Decides about the plan, under the lock and before the first call. Without it, the plan is applied. */
  approve?: ((plan: AccountPlan) => boolean | Promise<boolean>) | undefined;
  onEvent?: ((event: AccountEvent) => void) | undefined;
}

export type AccountEvent =
  /** The live state was read and compared. Nothing was sent. */
  { type: 'planned'; plan: AccountPlan } | CallEvent;

/** Refuses, asks, makes the calls and records the run: everything between a plan and its result. */
export async function carryOut(
  execution: Execution,
  context: PlanningContext,
  options: PlanningOptions & SendingOptions & { signal: AbortSignal },
): Promise<AccountRun> {
  const { approve = () => true, onEvent, signal } = options;
  const plan = accountPlan(execution, context, options);
  onEvent?.({ type: 'planned', plan });
  if (execution.refused || plan.report.problems.length > 0) return { status: 'refused', plan, unrecorded: [] };
  if (!hasChanges(execution.plan)) {
    const unrecorded = await recordBaseline(execution.confirmed(undefined), undefined, context, signal);
    return { status: unrecorded.length === 0 ? 'unchanged' : 'failed', plan, unrecorded };
  }
  if (!(await approve(plan))) return { status: 'declined', plan, unrecorded: [] };
  const { header, act, confirmed } = execution;
  const { inFlight, log, meta, front } = context;
  const { recentOfOthers } = log;
  const begin = () => log.begin({ ...header, ...meta, front });
  const run = new ActiveRun({ begin, recentOfOthers, inFlight, onEvent });
  return context.during('making the calls', async () => {
    const writer = await run.begin();
    const result = await act(run);
    const left = result.resources.flatMap(({ notMade }) => notMade);
    const unended = await endProblems(writer, () => run.end(hasFailed(result) ? 'failed' : 'done', left), signal);
    const { id } = writer.run;
    const unrecorded = unended.length > 0 ? unended : await recordBaseline(confirmed(result), id, context, signal);
    const report: RunOutcome = { about: 'run', command: header.command, result, ...meta };
    const isDone = !hasFailed(result) && unrecorded.length === 0;
    return { status: isDone ? 'applied' : 'failed', plan, run: { id, report }, unrecorded };
  });
}

async function endProblems({ run }: RunWriter, end: () => Promise<void>, signal: AbortSignal): Promise<Problem[]> {
  try {
    await end();
    return [];
  } catch (error) {
    const [cause] = explainedProblems(error, signal);
    const found = `the end of run ${shortRunId(run)} is not recorded: ${cause?.found}`;
    const fix = `the report shows what was done; ${cause?.fix ?? anyFix}; the next run looks up the calls whose outcome is not recorded`;
    return [{ code: 'end-not-recorded', found, fix }];
  }
}

const anyFix = 'fix the cause and run the command again';

async function recordBaseline(
  confirmed: readonly Confirmed[],
  run: string | undefined,
  { config, backend }: PlanningContext,
  signal: AbortSignal,
): Promise<Problem[]> {
  try {
    await updateBaseline(backend, config, confirmed, run);
    return [];
  } catch (error) {
    const [cause] = explainedProblems(error, signal);
    const found = `the baseline was not written: ${cause?.found}`;
    const fix = `${cause?.fix ?? anyFix}; until then, \`webdata drift\` compares with the baseline before this run`;
    return [{ code: 'baseline-not-written', found, fix }];
  }
}
