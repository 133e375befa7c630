/** Plans for plan, apply, drift and destroy, and whether a plan file is still up to date. */
import { nearest } from '../diagnostics/nearest.ts';
import { type Problem, ProblemError } from '../diagnostics/problem.ts';
import type { PlanMode } from '../kinds/callType.ts';
import { isDrift } from '../report/model/differences.ts';
import type { PlanReport } from '../report/model/report.ts';
import { withCauses } from '../sync/baseline/compare.ts';
import type { Config } from '../sync/config/config.ts';
import { expiredExceptions, withExceptions } from '../sync/config/exceptions.ts';
import { driftIn, type Plan } from '../sync/plan/plan.ts';
import type { PlanFile } from '../sync/plan/planFile.ts';
import type { Declared, Intent, Planned } from '../sync/plan/planned.ts';
import { planAll, planOf } from '../sync/plan/planner.ts';
import type { UndeclaredFate } from '../sync/plan/undeclared.ts';
import { comparePlanFile, isPruning, selectedIn, verifyPlanFile } from '../sync/plan/verifyPlanFile.ts';
import { reconcileInFlight, resendProblems, type WithheldMove } from '../sync/run/inFlight.ts';
import { runOfPlan } from '../sync/run/journalReader.ts';
import type { PlanningContext, SessionContext } from './context.ts';
import { declarationFiles } from './declaration.ts';
import type { PlanningOptions } from './options.ts';

/** Reads the live state and compares it with the declaration. If `recording`, journals the outcome of open calls of earlier runs. */
export async function planLive(
  { config, session, recentRuns, settleMs, baseline, log, warnings }: PlanningContext,
  options: PlanningOptions,
  intent: Intent,
  recording = false,
): Promise<Planned[]> {
  const undeclared = undeclaredFate(options);
  const select = selector(options.select, config);
  const { parallelism, strict, resend } = options;
  const withheld = await reconcileInFlight(recentRuns, session, {
    settleMs,
    record: recording ? log.record : undefined,
    resend,
  });
  const planning = session.withFreshAccount();
  const warn = (problem: Problem) => void warnings.push(problem);
  const planned = await planAll(config, session, { intent, parallelism, select, undeclared, planning, warn });
  const compared = await withCauses(planned, config.declared, baseline, planning);
  const muted = withExceptions(compared, config.exceptions, { today: today(), strict });
  return muted.map((each) => withoutResend(each, withheld, config));
}

/** Plans what a plan file contains. @throws ProblemError if that was applied already or is no longer what is needed */
export async function planOfFile(
  file: PlanFile,
  context: PlanningContext,
  options: PlanningOptions,
): Promise<Planned[]> {
  verifyPlanFile(file, await runOfPlan(context.backend, file.id), context.meta);
  const inFile = { ...options, select: selectedIn(file), prune: isPruning(file) };
  const planned = await planLive(context, inFile, file.intent, true);
  comparePlanFile(file, planned, context.config);
  return planned;
}

/** Returns the drift with its report. */
export function driftReport(
  planned: readonly Planned[],
  context: PlanningContext,
  options: PlanningOptions,
): { plan: Plan; report: PlanReport; isDrifted: boolean } {
  const plan = driftIn(planOf(planned));
  const report = planReport(plan, 'drift', context, options);
  return { plan, report, isDrifted: plan.resources.some((resource) => isDrift(resource, report)) };
}

/** Returns the date in UTC. */
function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function withoutResend(planned: Planned, withheld: readonly WithheldMove[], { locate }: Config): Planned {
  const { plan, declared } = planned;
  const problems = resendProblems(plan.calls, withheld);
  if (problems.length === 0) return planned;
  const located = problems.map((problem) => locate({ ...problem, at: 'key' }, [declared.collection, declared.name]));
  return { ...planned, plan: { ...plan, problems: [...plan.problems, ...located] } };
}

/** With --select, undeclared registrations are not considered. */
function undeclaredFate({ prune, select }: PlanningOptions): UndeclaredFate | undefined {
  if (prune) return 'prune';
  return select === undefined ? 'show' : undefined;
}

export function planReport(
  plan: Plan,
  mode: PlanMode,
  { config, meta, baseline, warnings: found = [] }: SessionContext & Partial<PlanningContext>,
  { strict, pending, file }: PlanningOptions,
): PlanReport {
  const isCompared = mode === 'plan' || mode === 'drift';
  const warnings = isCompared ? [...expiredExceptions(config, today()), ...found] : [];
  const compared = isCompared ? { pending, baseline: baseline !== undefined, warnings } : {};
  return { about: 'plan', mode, strict, ...compared, plan, problems: [], files: declarationFiles(file), ...meta };
}

/** Parses `--select KIND/NAME`, with the kind or its collection in upper or lower case. @throws ProblemError for a selector that matches nothing */
function selector(selects: readonly string[] | undefined, { declared }: Config): (resource: Declared) => boolean {
  if (selects === undefined) return () => true;
  const chosen = new Set(selects.flatMap((text) => matching(text, declared)));
  return (resource) => chosen.has(resource);
}

function matching(text: string, declared: readonly Declared[]): Declared[] {
  // Also accepts `zoneIpAllocations.static`, as reports write it.
  const [, kind = '', name] = /^([^/.]*)[/.](.*)$/.exec(text) ?? [];
  const isKind = (resource: Declared) =>
    [resource.kind, resource.collection].some((known) => known.toLowerCase() === kind.toLowerCase());
  const found = declared.filter((resource) => isKind(resource) && resource.name === name);
  if (found.length > 0) return found;
  const names = declared.map((resource) => `${resource.kind}/${resource.name}`);
  const near = nearest(text, names);
  throw new ProblemError([
    {
      code: 'nothing-selected',
      found: `--select ${text} matches no declared resource`,
      allowed: names.join(', ') || 'KIND/NAME of a declared resource',
      fix: near === undefined ? 'name a declared resource as KIND/NAME' : `did you mean ${near}?`,
    },
  ]);
}
