/** Plan files, and what happens while a run writes. */
export type { AccountEvent, SendingOptions } from '../carryOut.ts';
export { planFileFrom, planFileMode, planFileText, readPlanFile } from '../plan/planFile.ts';
export { assertNoPlanOptions } from '../plan/upToDate.ts';
export type { CallEvent } from '../run/activeRun.ts';
export { byHandName, runAdHoc } from '../run/adHocRun.ts';
export { pauseText } from '../run/pauseText.ts';
export { startedBy } from '../run/runStarter.ts';
export { declaredGuards } from '../undo/guards.ts';
