/** The expected end of a cell: it depends on the kind of the call, the fault, and how the scenario reacts. */
import type { CallType } from './calls.ts';
import type { FaultKind } from './kind.ts';
import type { Scenario } from './scenario.ts';

/**
 * Absorbed: same effects and output as without the fault. Reported: failed, with the call, its outcome and a fix. Worked around: succeeded
 * in another way. Passed on: the answer is shown as it came.
 */
export type Expected = 'absorbed' | 'reported' | 'worked around' | 'passed on';

/** The requests of a call that the fault hits. */
export type HitRequests = 'first' | 'last' | 'all' | 'later';

export interface Cell {
  scenario: Scenario;
  call: CallType;
  place: HitRequests;
  fault: FaultKind;
}

export function expectedEnd(cell: Cell): Expected {
  const { scenario, call, fault } = cell;
  const end = endOfNeeded(cell);
  const isForNotes = scenario.notesOf?.includes(call.peer) === true;
  // On a busy machine, the second attempt after a long silence may end in silence too.
  return isForNotes && (end === 'reported' || fault.slow) ? 'worked around' : end;
}

/** Returns the end of a scenario that needs the call. */
function endOfNeeded(cell: Cell): Expected {
  const { scenario, call, place, fault } = cell;
  const isOnce = !scenario.neverRepeats && (place === 'first' || place === 'last');
  if (fault.harmless || (fault.shape && call.shapeless && fault.effect === 'after')) return 'absorbed';
  if (isStatus(fault, scenario.copesWith?.[call.name])) return 'worked around';
  if (hasAnotherWay(cell)) return 'worked around';
  if (scenario.takes?.[call.name]?.includes(fault.name)) return 'passed on';
  if (place !== 'all' && scenario.takesOnce?.[call.name]?.includes(fault.name)) return 'passed on';
  const result = resultCalls.has(call.name) ? expectedOfResult(cell) : undefined;
  if (result !== undefined) return result;
  if (scenario.leavesIt) return 'worked around';
  if ((call.anyJson || scenario.anyJson?.includes(call.name)) && fault.isJson) return 'passed on';
  if (call.headOnly && headIsFine.has(fault.play.as)) return 'absorbed';
  if (isHandedOn(cell)) return 'passed on';
  // The request had no effect, so any call may be sent again.
  if (fault.effect === 'never' && fault.passes) return isOnce ? 'absorbed' : 'reported';
  if (call.kind === 'read') return isOnce && isAskedAgain(cell) ? 'absorbed' : 'reported';
  if (mayRepeat(cell)) return isOnce ? 'absorbed' : 'reported';
  return fault.effect === 'after' && scenario.readsBack?.includes(call.name) ? 'absorbed' : 'reported';
}

/** Calls whose answer is the result of a job, or a notice that it is not ready. */
const resultCalls: ReadonlySet<string> = new Set(['collector dataset', 'snapshot download']);
const notices: ReadonlySet<string> = new Set(['text', 'an empty body', 'null', '409', '425']);

/** Returns undefined for faults that affect a result like any other answer. */
function expectedOfResult({ scenario, call, place, fault }: Cell): Expected | undefined {
  if (fault.name === 'another type') return 'passed on';
  if (scenario.noJson?.includes(call.name) && fault.shape) return undefined;
  // For some time after its trigger, a job that is not found may still appear.
  const isNotice = notices.has(fault.name) || (fault.name === '404' && scenario.waits === 'after a trigger');
  if (!isNotice) return undefined;
  return scenario.waits !== undefined && place !== 'all' ? 'absorbed' : 'reported';
}

/** Settings are read by a PUT of {} if GET answers something else; ports are not observable if recent stats cannot be read. */
function hasAnotherWay({ scenario, call, fault }: Cell): boolean {
  if (scenario.copesWith?.[call.name] === undefined) return false;
  if (call.name === 'settings by get') return isOtherAnswer(fault);
  return call.name === 'recent stats' && (isOtherAnswer(fault) || (fault.group === '4xx' && !fault.passes));
}

/** Returns true for a complete answer to something else: a second request would give the same. */
function isOtherAnswer({ group, name, passes }: FaultKind): boolean {
  if (group === 'redirect to another host' || name === 'no HTTP') return true;
  return group === 'answer of a different shape' && !passes;
}

function isHandedOn({ scenario, call, fault }: Cell): boolean {
  if (call.anyFields && fault.name === 'fields of other types') return true;
  // The answer is cut off after the ID of the job, which is all that is needed.
  if (call.name === 'collector trigger' && fault.name === 'invalid JSON') return true;
  if (scenario.noJson?.includes(call.name) && (fault.isJson || fault.name === 'invalid JSON')) return true;
  return scenario.handsOn?.includes(call.name) === true && fault.group === 'answer of a different shape';
}

/** Faults after the status, for calls that need no more than the status. */
const headIsFine: ReadonlySet<string> = new Set(['body', 'cut', 'endless drip', 'zeros', 'declared size']);

function isAskedAgain({ scenario, call, fault }: Cell): boolean {
  if (scenario.asksAgain?.includes(call.name)) return true;
  // Rows that were passed on cannot be withdrawn.
  return fault.passes && !(call.stream && breaksOff(fault));
}

/** Returns true if a billed call may be sent again after a 5xx, because the specification asks for it. */
export function mayRepeat({ scenario, call, fault }: Cell): boolean {
  if (call.kind !== 'trigger' || !fault.group.startsWith('5xx')) return false;
  return (scenario.repeatsAfter5xx ?? call.repeatsAfter5xx) === true;
}

function breaksOff({ play, name }: FaultKind): boolean {
  return play.as === 'cut' || play.as === 'endless drip' || name === 'invalid JSON';
}

function isStatus({ play }: FaultKind, statuses: readonly number[] = []): boolean {
  return play.as === 'status' && statuses.includes(play.status);
}
