/** Plan files. */
export { type PlanFile, planFileFrom, planFileMode, planFileText, readPlanFile } from '../plan/planFile.ts';
export { assertNoPlanOptions } from '../plan/upToDate.ts';
