/** Plan, apply and drift for programs: what the commands do, with typed results and events. */
import { resolve } from 'node:path';
import type { Problem } from './base/diagnostics/problem.ts';
import type { RequestEvent } from './client/transport/requestLog.ts';
import { type AccountOptions, type OpenedAccount, openAccount } from './engine/account.ts';
import {
  type AccountPlan,
  type AccountRun,
  hasChanges,
  type PlanFile,
  type PlanOutcome,
  type ResourcePlan,
  type ResourceResult,
  type RunOutcome,
} from './engine/doors/plan.ts';
import { type CallEvent, planFileFrom, readPlanFile } from './engine/doors/run.ts';
import { type FormatName, loadFormat } from './report/formats.ts';
import { type Cost, costOf } from './report/model/cost.ts';
import {
  type ApplyTotals,
  applyTotals,
  type PlanReport,
  type PlanSummary,
  planSummary,
  problemsIn,
  type Report,
} from './report/model/report.ts';

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
  /** Only moves that touch one of these zones, by the guards of all. */
  zone?: readonly string[] | undefined;
  /** True removes registrations in the trigger service that are not declared. */
  prune?: boolean | undefined;
  /** True sends paid moves again whose earlier answer was lost and whose effect no listing shows. */
  resend?: boolean | undefined;
  /** The number of IPs that may move in this run. Can only raise `maxMoves` of the declaration. */
  maxMoves?: number | undefined;
  /** True allows settings that remove your own address from the manager's allow list. */
  allowSelfLockout?: boolean | undefined;
  /** True moves IPs although a listing is no list or not whole, and counts them by the countries that are listed now. */
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
  summary: PlanSummary & { cost?: Cost | undefined };
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
  return operate(options, async (account, emit) => {
    const result = planResult(await account.plan());
    emit({ type: 'planned', plan: result });
    return result;
  });
}

/** Compares the live state with what was applied. Sends no writing request. @throws ProblemError if the declaration is not valid */
export function drift(options: DriftOptions = {}): Promise<DriftResult> {
  return operate(options, async (account, emit) => {
    const { report, isDrifted, plan: whole } = await account.drift();
    emit({ type: 'planned', plan: planResult(whole) });
    return { ...resultOf(report), isDrifted };
  });
}

/**
 * Makes the live state as declared, under the lock, with a journal and all guards, as `webdata apply --yes` does.
 * @throws ProblemError if the declaration is not valid, the plan file is out of date, or another run holds the lock
 */
export async function apply(request: ApplyRequest = {}): Promise<AppliedResult> {
  const { planFile, approve = () => true, ...options } = request;
  const file = await readOrParse(planFile, options.cwd ?? process.cwd());
  return operate({ ...options, planFile: file }, async (account, emit) => {
    const done = await account.apply({
      approve: (planned) => approve(planResult(planned)),
      onEvent: (event) => emit(event.type === 'planned' ? { type: 'planned', plan: planResult(event.plan) } : event),
    });
    return appliedResult(done);
  });
}

type Emit = (event: ProgramEvent) => void;

function appliedResult({ status, plan, run, unrecorded }: AccountRun): AppliedResult {
  const result = run?.report.result ?? { plan: plan.report.plan, resources: [] };
  const report = run?.report ?? plan.report;
  const problems = status === 'refused' || run !== undefined ? problemsIn(report) : [];
  return {
    status,
    plan: planResult(plan),
    run: run?.id,
    resources: result.resources,
    totals: applyTotals(result),
    problems: [...problems, ...unrecorded],
    format: formatterOf(report),
  };
}

function planResult({ report, planFile }: AccountPlan): PlanResult {
  return { ...resultOf(report), planFile: planFile() };
}

function resultOf(report: PlanReport): Omit<PlanResult, 'planFile'> {
  return {
    hasChanges: hasChanges(report.plan),
    resources: report.plan.resources,
    summary: { ...planSummary(report.plan), cost: costOf(report) },
    problems: problemsIn(report),
    warnings: report.warnings ?? [],
    format: formatterOf(report),
  };
}

/** Returns a report of an account as `--format` prints it, such as `markdown` for a comment. */
export async function formatReport(report: PlanOutcome | RunOutcome, name: FormatName): Promise<string> {
  return (await loadFormat(name))({ ...report, createdAt: new Date().toISOString() }, { color: false });
}

function formatterOf(report: Report): Formatted['format'] {
  const createdAt = new Date().toISOString();
  return async (name) => (await loadFormat(name))({ ...report, createdAt }, { color: false });
}

async function readOrParse(planFile: ApplyRequest['planFile'], cwd: string): Promise<PlanFile | undefined> {
  if (planFile === undefined) return undefined;
  return typeof planFile === 'string' ? readPlanFile(planFile, { cwd }) : planFileFrom(planFile, '`planFile`');
}

/** Opens an account with the surroundings of a program. Its listener cannot interrupt the operation. */
async function operate<Result>(
  { onEvent, ...options }: DriftOptions & Pick<AccountOptions, 'planFile'> & { lockTimeout?: number | undefined },
  action: (account: OpenedAccount, emit: Emit) => Promise<Result>,
): Promise<Result> {
  const errors: unknown[] = [];
  const emit: Emit = (event) => {
    try {
      onEvent?.(event);
    } catch (error) {
      errors.push(error);
    }
  };
  await using account = await openAccount({
    ...accountOptions(options),
    cwd: resolve(options.cwd ?? process.cwd()),
    front: 'program',
    warn: (text) => text !== '' && emit({ type: 'warning', text }),
    onRequest: onEvent && ((request) => emit({ type: 'request', request })),
  });
  const result = await action(account, emit);
  if (errors.length > 0) throw errors[0];
  return result;
}

/** Leaves out undefined options, as the command line does. */
function accountOptions({
  file,
  ...options
}: Omit<DriftOptions, 'onEvent'> & { lockTimeout?: number | undefined }): AccountOptions {
  const files = typeof file === 'string' ? [file] : file;
  const given = Object.entries({ ...options, file: files && [...files] }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}
