/** The writing of one resource, for the fronts other than the commands. */
export type { AccountEvent, SendingOptions } from '../carryOut.ts';
export { ActiveRun, type CallEvent, type WriteOutcome } from '../run/activeRun.ts';
export { FrontRun } from '../run/frontRun.ts';
export { assertGuardsKept, guardsBrokenBy } from '../run/gates.ts';
export { lookUpOpen, unseenMoves, type WithheldMove } from '../run/inFlight.ts';
export { pauseText } from '../run/pauseText.ts';
export { startedBy } from '../run/runStarter.ts';
export { type Siblings, siblingsOf } from '../run/siblings.ts';
export { declaredGuards } from '../undo/guards.ts';
