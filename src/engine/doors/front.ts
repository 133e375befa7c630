/** The run of a front with a state of its own, such as Pulumi: what it configures, plans and writes. */
export { passwordHostProblem } from '../backend/store/passwordHost.ts';
export type { Config } from '../declaration/config.ts';
export { setVariable } from '../declaration/connection.ts';
export { serverOf } from '../identity/accountIdentity.ts';
export { mayBeResolved } from '../plan/plan.ts';
export { comparedOrProblems, type PlannedDiff, problemsOfError } from '../plan/planResource.ts';
export type { WriteOutcome } from '../run/activeRun.ts';
export type { FrontTarget, PlanMessages } from '../run/frontPlans.ts';
export { FrontRun } from '../run/frontRun.ts';
export { assertGuardsKept, guardsBrokenBy } from '../run/gates.ts';
export type { WithheldMove } from '../run/inFlight.ts';
export type { Session } from '../run/session.ts';
export { lastPlanOf, type Siblings, siblingsOf } from '../run/siblings.ts';
