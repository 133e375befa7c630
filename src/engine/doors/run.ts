/** What happens while a run writes. */
export type { AccountEvent, SendingOptions } from '../carryOut.ts';
export type { CallEvent } from '../run/activeRun.ts';
export { byHandName, runAdHoc } from '../run/adHocRun.ts';
export { pauseText } from '../run/pauseText.ts';
export { startedBy } from '../run/runStarter.ts';
export { declaredGuards } from '../undo/guards.ts';
