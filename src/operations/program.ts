/** Plan, apply and drift for programs: what the commands do, with typed results and events. */
import { resolve } from 'node:path';
import type { Problem } from '../diagnostics/problem.ts';
import { type FormatName, loadFormat } from '../report/formats.ts';
import { type ApplyTotals, applyTotals, type PlanReport, problemsIn, type Report } from '../report/model/report.ts';
import type { RequestEvent } from '../service/transport/requestLog.ts';
import { hasChanges, type PlanSummary, type ResourcePlan, summarize } from '../sync/plan/plan.ts';
import { type PlanFile, planFileFrom, planFileOf, readPlanFile } from '../sync/plan/planFile.ts';
import type { Planned } from '../sync/plan/planned.ts';
import { planOf } from '../sync/plan/planner.ts';
import { declaredByPlan } from '../sync/plan/verifyPlanFile.ts';
import type { ResourceResult } from '../sync/run/outcome.ts';
import { withBudgets } from './budgets.ts';
import { openExclusively, openPlanning, type PlanningContext } from './context.ts';
import { configFrom, configIfAny } from './declaration.ts';
import { type CallEvent, type Execution, executeCalls, executionOf, settleUnchanged } from './execution.ts';
import type { PlanningOptions, Surroundings } from './options.ts';
import { driftReport, planLive, planOfFile, planReport } from './planning.ts';

/** The options of `plan`, `apply` and `drift`. Options of the command line have the same names: `--max-moves 5` is `maxMoves: 5`. */
export interface ProgramOptions {
  /** The files or folders of the declaration, which are merged by key. By default `webdata.yaml`. */
  file?: string | readonly string[] | undefined;
  /** The folder that relative names start from. By default the current one. */
  cwd?: string | undefined;
  /** The environment variables. By default those of the process. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The URL of the service. Overrides `service.url` and `WEBDATA_API_URL`. */
  apiUrl?: string | undefined;
  /** The URL of the proxy manager. Overrides `manager.url` and `WEBDATA_MANAGER_URL`. */
  managerUrl?: string | undefined;
  /** Variables that URLs in the declaration may use besides `WEBDATA_*`. */
  allowEnv?: readonly string[] | undefined;
  /** The backend that holds the lock, the runs and the baseline. Overrides `backend` and `WEBDATA_BACKEND`. */
  backend?: string | undefined;
  /** The journal file, in place of a backend. */
  journal?: string | undefined;
  /** Only these resources, as `KIND/NAME`. By default all. */
  select?: readonly string[] | undefined;
  /** True removes registrations in the trigger service that are not declared. */
  prune?: boolean | undefined;
  /** True sends paid moves again whose earlier answer was lost and whose effect no listing shows. */
  resend?: boolean | undefined;
  /** The number of IPs that may move in this run. Can only raise `maxMoves` of the declaration. */
  maxMoves?: number | undefined;
  /** True refuses a plan that exceeds one of its budgets, in place of a warning. */
  enforce?: boolean | undefined;
  /** True allows settings that remove your own address from the manager's allow list. */
  allowSelfLockout?: boolean | undefined;
  /** True treats a zone as empty if its listing was answered without a list. */
  allowUnclearListing?: boolean | undefined;
  /** True deletes ports of the manager that are in use. */
  forcePorts?: boolean | undefined;
  /** The number of resources that are handled at the same time. */
  parallelism?: number | undefined;
  /** The longest time to wait for an answer, in seconds. */
  timeout?: number | undefined;
  /** The number of times that a failed read is repeated. */
  retries?: number | undefined;
  /** Ends the operation. Calls whose answers are outstanding are looked up by the next run. */
  signal?: AbortSignal | undefined;
  /** Receives events. An error that it throws is thrown when the operation has ended. */
  onEvent?: ((event: ProgramEvent) => void) | undefined;
}

export interface DriftOptions extends ProgramOptions {
  /** True counts unmanaged IPs as drift. */
  strict?: boolean | undefined;
  /** True counts pending changes (declared, but not yet applied) as drift. */
  pending?: boolean | undefined;
}

export interface ApplyRequest extends ProgramOptions {
  /** A plan that was reviewed: `planFile` of a plan, or the path of a file. It is applied if the same calls are still needed. */
  planFile?: PlanFile | string | undefined;
  /** Decides about the plan before the first call. Without it, the plan is applied. */
  approve?: ((plan: PlanResult) => boolean | Promise<boolean>) | undefined;
  /** The longest time to wait for another run to end, in seconds. By default 15. */
  lockTimeout?: number | undefined;
}

/** Something that happens during an operation. */
export type ProgramEvent =
  /** The live state was read and compared. Nothing was sent. */
  | { type: 'planned'; plan: PlanResult }
  /** A call is in the journal and is sent next (`sending`), or more is known about it (`outcome`): its answer, its failure, or what reading back showed. */
  | CallEvent
  /** A request was answered or failed. Secrets are removed. */
  | { type: 'request'; request: RequestEvent }
  /** Text for people, such as damage to the journal. */
  | { type: 'warning'; text: string };

interface Formatted {
  /** Returns the report as `--format` prints it, such as `markdown` for a comment. */
  format(name: FormatName): Promise<string>;
}

export interface PlanResult extends Formatted {
  /** True if apply would send calls. */
  hasChanges: boolean;
  /** The resources with their calls, in the order in which they are handled. */
  resources: ResourcePlan[];
  /** The totals. */
  summary: PlanSummary;
  /** The problems that block calls, each with its location. */
  problems: Problem[];
  /** Problems that block nothing. */
  warnings: readonly Problem[];
  /** The plan for `apply({ planFile })`, which can be kept as JSON. Undefined if there are problems. */
  planFile: PlanFile | undefined;
}

export interface DriftResult extends Omit<PlanResult, 'planFile'> {
  /** True if the live state is not as it was applied. `hasChanges` is true for pending changes too. */
  isDrifted: boolean;
}

export interface AppliedResult extends Formatted {
  /**
   * `applied`: all calls were made. `unchanged`: none was needed. `declined`: `approve` returned false. `refused`: problems block the plan, and
   * nothing was sent. `failed`: some calls were not made or are unknown, or the run could not be recorded completely.
   */
  status: 'applied' | 'unchanged' | 'declined' | 'refused' | 'failed';
  plan: PlanResult;
  /** The id of the run for `webdata history` and `webdata undo`. Undefined if nothing was sent. */
  run: string | undefined;
  /** The resources with the calls that were made and those that were not. */
  resources: readonly ResourceResult[];
  totals: ApplyTotals;
  problems: readonly Problem[];
}

/** Compares the declaration with the live state. Sends no writing request. @throws ProblemError if the declaration is not valid */
export function plan(options: ProgramOptions = {}): Promise<PlanResult> {
  return operate(options, async (it, surroundings, emit) => {
    const config = await configFrom(it, surroundings);
    return openPlanning(it, surroundings, config, async (context) => {
      const planned = await planLive(context, it, 'update');
      const result = planResult(planned, await reportOf(planned, context, it), context);
      emit({ type: 'planned', plan: result });
      return result;
    });
  });
}

/** Compares the live state with what was applied. Sends no writing request. @throws ProblemError if the declaration is not valid */
export function drift(options: DriftOptions = {}): Promise<DriftResult> {
  return operate(options, async (it, surroundings, emit) => {
    const config = await configFrom(it, surroundings);
    return openPlanning(it, surroundings, config, async (context) => {
      const planned = await planLive(context, it, 'update');
      const { isDrifted, report } = driftReport(planned, context, it);
      emit({ type: 'planned', plan: planResult(planned, planReport(planOf(planned), 'plan', context, it), context) });
      return { ...resultOf(report), isDrifted };
    });
  });
}

/**
 * Makes the live state as declared, under the lock, with a journal and all guards, as `webdata apply --yes` does.
 * @throws ProblemError if the declaration is not valid, the plan file is out of date, or another run holds the lock
 */
export function apply(request: ApplyRequest = {}): Promise<AppliedResult> {
  const { planFile, approve = () => true, lockTimeout = 15, ...options } = request;
  return operate(options, async (it, surroundings, emit) => {
    const file = await readOrParse(planFile, surroundings.cwd);
    const config =
      file === undefined
        ? await configFrom(it, surroundings)
        : declaredByPlan(file, await configIfAny(it, surroundings, { pinned: file.lists ?? [] }));
    return openExclusively('apply', { ...it, lockTimeout }, surroundings, config, async (context) => {
      const planned =
        file === undefined ? await planLive(context, it, 'update', true) : await planOfFile(file, context, it);
      const execution = executionOf(planned, file?.intent ?? 'update', context, it);
      if (file !== undefined) execution.header.plan = file.id;
      const planReported = await reportOf(planned, context, it, execution.mode);
      // A budget that is enforced belongs to no resource.
      execution.refused ||= planReported.problems.length > 0;
      const result = planResult(planned, planReported, context);
      emit({ type: 'planned', plan: result });
      return execute(execution, result, approve, context, surroundings, emit);
    });
  });
}

type Emit = (event: ProgramEvent) => void;

async function execute(
  execution: Execution,
  plan: PlanResult,
  approve: NonNullable<ApplyRequest['approve']>,
  context: PlanningContext,
  { signal }: Surroundings,
  emit: Emit,
): Promise<AppliedResult> {
  const nothing = { plan, run: undefined, resources: [], totals: applyTotals({ plan: execution.plan, resources: [] }) };
  const { format } = plan;
  if (execution.refused) return { ...nothing, status: 'refused', problems: plan.problems, format };
  if (!hasChanges(execution.plan)) {
    const problems = await settleUnchanged(execution, context, signal);
    return { ...nothing, status: problems.length === 0 ? 'unchanged' : 'failed', problems, format };
  }
  if (!(await approve(plan))) return { ...nothing, status: 'declined', problems: [], format };
  const { run, result, failed, unrecorded } = await executeCalls(execution, context, signal, emit);
  const report: Report = { about: 'run', command: execution.header.command, result, ...context.meta };
  return {
    status: failed || unrecorded.length > 0 ? 'failed' : 'applied',
    plan,
    run,
    resources: result.resources,
    totals: applyTotals(result),
    problems: [...problemsIn(report), ...unrecorded],
    format: formatterOf(report),
  };
}

async function reportOf(
  planned: readonly Planned[],
  context: PlanningContext,
  options: PlanningOptions,
  mode: PlanReport['mode'] = 'plan',
): Promise<PlanReport> {
  const whole = planOf(planned);
  const report = planReport(whole, mode, context, options);
  return mode === 'plan' ? withBudgets(report, context, whole, options) : report;
}

function planResult(planned: readonly Planned[], report: PlanReport, { config, meta }: PlanningContext): PlanResult {
  const intent = report.mode === 'destroy' ? 'delete' : 'update';
  const planFile = problemsIn(report).length > 0 ? undefined : planFileOf(planned, config, intent, meta);
  return { ...resultOf(report), planFile };
}

function resultOf(report: PlanReport): Omit<PlanResult, 'planFile'> {
  return {
    hasChanges: hasChanges(report.plan),
    resources: report.plan.resources,
    summary: summarize(report.plan),
    problems: problemsIn(report),
    warnings: report.warnings ?? [],
    format: formatterOf(report),
  };
}

function formatterOf(report: Report): Formatted['format'] {
  const createdAt = new Date().toISOString();
  return async (name) => (await loadFormat(name))({ ...report, createdAt }, { color: false });
}

async function readOrParse(planFile: ApplyRequest['planFile'], cwd: string): Promise<PlanFile | undefined> {
  if (planFile === undefined) return undefined;
  return typeof planFile === 'string' ? readPlanFile(planFile, { cwd }) : planFileFrom(planFile, '`planFile`');
}

/** Runs an operation with the surroundings of a program. Its listener cannot interrupt it. */
async function operate<Result>(
  { cwd = process.cwd(), env = process.env, signal = new AbortController().signal, onEvent, ...options }: DriftOptions,
  action: (options: PlanningOptions, surroundings: Surroundings, emit: Emit) => Promise<Result>,
): Promise<Result> {
  const errors: unknown[] = [];
  const emit: Emit = (event) => {
    try {
      onEvent?.(event);
    } catch (error) {
      errors.push(error);
    }
  };
  const surroundings: Surroundings = {
    cwd: resolve(cwd),
    env,
    signal,
    front: 'program',
    warn: (text) => text !== '' && emit({ type: 'warning', text }),
    onRequest: onEvent && ((request) => emit({ type: 'request', request })),
  };
  const result = await action(planningOptions(options), surroundings, emit);
  if (errors.length > 0) throw errors[0];
  return result;
}

/** Leaves out undefined options, as the command line does. */
function planningOptions({
  file,
  ...options
}: Omit<DriftOptions, 'cwd' | 'env' | 'signal' | 'onEvent'>): PlanningOptions {
  const files = typeof file === 'string' ? [file] : file;
  const given = Object.entries({ ...options, file: files && [...files] }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}
