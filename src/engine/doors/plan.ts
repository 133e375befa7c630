/** Plans, results and their differences, as reports show them. */
export {
  type AccountDrift,
  type AccountPlan,
  type AccountRun,
  type PlanOutcome,
  planProblems,
  type RunOutcome,
} from '../accountResults.ts';
export { type Cause, type CausedChange, causes, type MutedBy } from '../baseline/causes.ts';
export { isDrift, isMuted } from '../baseline/driftRules.ts';
export { type MoveWhy, whys } from '../baseline/whys.ts';
export {
  countMoves,
  hasChanges,
  isSameResource,
  type Plan,
  problemsOf,
  type ResourceId,
  type ResourcePlan,
  resourceKey,
  resourceTitle,
} from '../plan/plan.ts';
export type { PlanFile } from '../plan/planFile.ts';
export type { Declared } from '../plan/resources.ts';
export { type ApplyResult, hasFailed, openCalls, type ResourceResult } from '../run/applyResult.ts';
export { shortRunId } from '../run/runId.ts';
export { type StartedBy, startedBySchema, startedByText } from '../run/startedBy.ts';
