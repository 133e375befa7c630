/** Sessions: connections to servers, with the views of the live state over them. */
export {
  isOnAccount,
  type PlanningContext,
  type SessionContext,
  type SessionSurroundings,
  withSession,
} from '../context.ts';
export { type LiveZones, liveZones } from '../liveZones.ts';
export { defaultParallelism } from '../plan/planner.ts';
export { problemsOfError } from '../plan/planResource.ts';
export type { Session } from '../run/session.ts';
