/** Plans for plan, apply, drift and destroy, and whether a plan file is still up to date. */
import { type Problem, ProblemError } from '../base/diagnostics/problem.ts';
import { once } from '../base/values/once.ts';
import type { PlanMode } from '../kinds/seam/callWords.ts';
import { type AccountDrift, type AccountPlan, type PlanOutcome, planProblems } from './accountResults.ts';
import { withCauses } from './baseline/compare.ts';
import { isDrift } from './baseline/driftRules.ts';
import { withFormerOwners } from './baseline/formerOwner.ts';
import { type MissingResource, missingProblems, nothingDeclared } from './baseline/missing.ts';
import { neighbourWarnings, registeredBy } from './baseline/neighbours.ts';
import { declarationFiles } from './configuredConnection.ts';
import { lastRunsOf, type PlanningContext } from './context.ts';
import type { Config } from './declaration/config.ts';
import { expiredExceptions, withExceptions } from './declaration/exceptions.ts';
import { isAnyDeclaration } from './declaration/places.ts';
import type { PlanningOptions } from './options.ts';
import { countMoves, driftIn, isSameResource, type Plan } from './plan/plan.ts';
import { backendOfPlan, type PlanFile, planFileOf } from './plan/planFile.ts';
import { planAll, planOf } from './plan/planner.ts';
import type { Intent, Planned } from './plan/resources.ts';
import { selector } from './plan/selector.ts';
import { takenBack } from './plan/takenBack.ts';
import type { DeclaredBy, UndeclaredFate } from './plan/undeclared.ts';
import { comparePlanFile, isPruning, selectedIn, verifyPlanFile } from './plan/upToDate.ts';
import type { Run } from './run/journal.ts';
import { runOfPlan } from './run/journalReader.ts';
import type { Session } from './run/session.ts';

/** Reads the live state and compares it with the declaration. If `recording`, journals the outcome of open calls of earlier runs. */
export function planLive(
  context: PlanningContext,
  options: PlanningOptions,
  intent: Intent,
  recording = false,
): Promise<Planned[]> {
  const { config, session, recentRuns, inFlight, baseline, neighbours, log, warnings } = context;
  const { parallelism, strict, resend } = options;
  return context.during('reading the live state', async () => {
    const undeclared = undeclaredFate(options);
    const select = selector(options.select, config);
    const record = recording ? log.record : undefined;
    await assertPinnedAccount(config, session);
    await inFlight.lookUp(recentRuns, session, { record, resend });
    const planning = session.withFreshAccount();
    const warn = (problem: Problem) => void warnings.push(problem);
    const declaredBy: DeclaredBy = (resource) => registeredBy(neighbours, resource, config.name)?.name;
    const how = { intent, parallelism, select, undeclared, planning, warn, declaredBy, inFlight };
    const planned = await planAll(config, session, how);
    const lastRuns = once(() => lastRunsOf(context));
    const compared = await withCauses(planned, config.declared, baseline, planning, lastRuns);
    const owned = await withFormerOwners(compared, baseline, config, planning);
    const muted = withExceptions(owned, config.exceptions, { today: today(), strict });
    const plan = planOf(muted);
    if (intent === 'update' && countMoves(plan) > 0) context.takenBack = takenBack(plan, await lastRuns(), Date.now());
    return muted;
  });
}

/** Refuses the key of another account than the one that the profile pins. @throws ProblemError, ServiceError */
async function assertPinnedAccount({ service: { profile } }: Config, session: Session): Promise<void> {
  const { accountId } = profile;
  if (accountId === undefined) return;
  const found = await session.client().account.zoneCost(undefined);
  if (found?.account === accountId) return;
  throw new ProblemError([
    {
      code: 'wrong-account',
      found: `the key belongs to ${found === undefined ? 'an account whose id the service does not show' : found.account}`,
      allowed: `a key of ${accountId}, which service.profile.accountId pins`,
      fix: 'use the key of that account, or correct service.profile.accountId',
    },
  ]);
}

/** Plans what a plan file contains. @throws ProblemError if that was applied already or is no longer what is needed */
export async function planOfFile(
  file: PlanFile,
  context: PlanningContext,
  options: PlanningOptions,
): Promise<Planned[]> {
  const backend = backendOfPlan(context.backend, context.config);
  verifyPlanFile(file, await runOfPlan(context.backend, file.id), { ...context.meta, backend });
  const inFile = { ...options, select: selectedIn(file), prune: isPruning(file) };
  const planned = await planLive(context, inFile, file.intent, true);
  comparePlanFile(file, planned, context.config);
  return planned;
}

/** A plan that is reported. */
interface Reported {
  plan: Plan;
  mode: PlanMode;
  /** The resources of the plan; undefined for an undo, which has no plan file. */
  planned?: readonly Planned[] | undefined;
  /** The run that an undo undoes. */
  undone?: Run | undefined;
}

/** Returns a plan with its report. */
export function accountPlan(
  { plan, mode, planned, undone }: Reported,
  context: PlanningContext,
  options: PlanningOptions,
): AccountPlan {
  const report = planReport(plan, mode, context, options);
  const problems = planProblems(report);
  const { select, zone: zones, file } = options;
  const intent = mode === 'destroy' ? 'delete' : 'update';
  const made = { intent, isSelected: select !== undefined, zones, files: declarationFiles(file) } as const;
  const planFile = () =>
    planned === undefined || problems.length > 0 ? undefined : planFileOf(planned, context, made);
  return { report, problems, undone, planFile };
}

/** Returns the drift with its report. */
export function accountDrift(
  planned: readonly Planned[],
  context: PlanningContext,
  options: PlanningOptions,
): AccountDrift {
  const plan = planOf(planned);
  const drift = driftIn(plan);
  const report = planReport(drift, 'drift', context, options);
  const isDrifted = drift.resources.some((resource) => isDrift(resource, report));
  const whole = accountPlan({ plan, mode: 'plan', planned }, context, options);
  return { report, plan: whole, problems: planProblems(report), isDrifted };
}

/** Returns the date in UTC. */
function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** With --select, undeclared registrations are not considered. */
function undeclaredFate({ prune, select }: PlanningOptions): UndeclaredFate | undefined {
  if (prune) return 'prune';
  return select === undefined ? 'show' : undefined;
}

function planReport(
  plan: Plan,
  mode: PlanMode,
  { config, meta, baseline, missing: absent, neighbours: others, warnings: found, takenBack }: PlanningContext,
  options: PlanningOptions,
): PlanOutcome {
  const { strict, pending, file } = options;
  // What --prune removes is in the plan.
  const missing = absent.filter((each) => !isPlanned(each, plan));
  const isAny = isAnyDeclaration(config.places);
  const refused = missing.filter((each) => isRefused(each, mode, isAny, options));
  const isEmpty = config.declared.length === 0 && baseline === undefined && missing.length === 0;
  const problems = [
    ...missingProblems(refused, isAny),
    ...(mode === 'plan' && strict ? takenBack : []),
    ...(isEmpty && isRefused({ isEmptied: true }, mode, false, options) ? [nothingDeclared] : []),
  ];
  const isCompared = mode === 'plan' || mode === 'drift';
  const removed = problems.length === 0 && options.select === undefined ? missingProblems(missing, isAny) : [];
  const neighbours = others.filter(({ resources }) => resources.length > 0);
  const ofOthers = neighbourWarnings(neighbours, config);
  const remarks = mode === 'plan' && !strict ? takenBack : [];
  const warnings = isCompared
    ? [...expiredExceptions(config, today()), ...removed, ...ofOthers, ...remarks, ...found]
    : [];
  const compared = isCompared
    ? { pending, baseline: baseline !== undefined, warnings, neighbours }
    : { ...(found.length > 0 && { warnings: found }) };
  const { prices } = config;
  return { about: 'plan', mode, strict, ...compared, plan, prices, problems, files: declarationFiles(file), ...meta };
}

function isPlanned(missing: MissingResource, { resources }: Plan): boolean {
  return resources.some((each) => isSameResource(each, missing) && each.calls.length > 0);
}

/**
 * Drift compares everything that was applied. A plan of a change may remove resources, but not the last one of a kind unnoticed, and none if
 * another declaration may have applied them (`isAny`).
 */
function isRefused(
  { isEmptied }: Pick<MissingResource, 'isEmptied'>,
  mode: PlanMode,
  isAny: boolean,
  { allowRemoved, select, detailedExitcode = false }: PlanningOptions,
): boolean {
  if (allowRemoved || select !== undefined) return false;
  return mode === 'drift' || (mode === 'plan' && (isAny || (isEmptied && detailedExitcode)));
}
