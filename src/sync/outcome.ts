/** What became of journaled calls, in the words that apply, history and undo share. */
import type { Problem } from '../input/problem.ts';
import type { Call, MigrateCall } from '../resources/call.ts';
import type { JournaledCall, Run } from './journal.ts';
import type { Plan, ResourceId } from './plan.ts';

/**
 * `done`: read back and as wanted. `accepted`: answered in full, and not read back or not visible yet. `partly`: some of it took.
 * `refused`: it had no effect. `unknown`: sent, and nothing is known of it.
 */
export type CallOutcome = 'done' | 'accepted' | 'partly' | 'refused' | 'unknown';

export function outcomeOf(journaled: JournaledCall): CallOutcome {
  const { call, answered, failed, seen } = journaled;
  if (movedNothing(journaled)) return 'refused';
  if (seen && 'took' in seen) return seen.took ? 'done' : failed?.effect === 'none' ? 'refused' : 'partly';
  if (seen && call.type === 'migrate') {
    if (seen.moved.length === call.moves.length) return 'done';
    if (answered?.count === call.moves.length && seen.elsewhere.length === 0) return 'accepted';
    if (seen.notVisible.length > 0) return 'unknown';
    if (seen.moved.length > 0 || seen.elsewhere.length > 0) return 'partly';
    return seen.final && failed?.effect === 'unknown' ? 'unknown' : 'refused';
  }
  if (failed) return failed.effect === 'none' ? 'refused' : 'unknown';
  if (!answered) return 'unknown';
  return call.type === 'migrate' ? (answered.count === call.moves.length ? 'accepted' : 'unknown') : 'accepted';
}

/** By the service's own word: IPs that are found where they were to go were brought there by somebody else. */
export function movedNothing({ call, answered, failed }: JournaledCall): boolean {
  return call.type === 'migrate' && (failed?.effect === 'none' || answered?.count === 0);
}

/** The IPs that a migrate is known to have moved: seen, or, where nothing was read back, accepted in full. */
export function movedBy(journaled: JournaledCall): string[] {
  const { call, seen } = journaled;
  if (call.type !== 'migrate' || movedNothing(journaled)) return [];
  if (seen && 'moved' in seen) return [...seen.moved];
  return outcomeOf(journaled) === 'accepted' ? call.moves.map(({ ip }) => ip) : [];
}

/** The part of a call that is known to have taken effect, as a call of its own; nothing if none did. */
export function effectOf(journaled: JournaledCall): Call[] {
  const { call } = journaled;
  if (call.type !== 'migrate') return ['done', 'accepted'].includes(outcomeOf(journaled)) ? [call] : [];
  const moved = new Set(movedBy(journaled));
  return moved.size === 0 ? [] : [{ ...call, moves: call.moves.filter(({ ip }) => moved.has(ip)) }];
}

/** A journaled migrate. */
export type JournaledMove = JournaledCall & { call: MigrateCall };

/** Migrations whose outcome is not known for all of their IPs, and that can still be looked up in the listings. */
export function openMoves(run: Run): JournaledMove[] {
  const isTold = ({ seen }: JournaledCall) => seen && (seen.final || !('moved' in seen && seen.notVisible.length > 0));
  return run.calls.filter(isMove).filter((call) => isUncertain(call) && !isTold(call));
}

export function isMove(journaled: JournaledCall): journaled is JournaledMove {
  return journaled.call.type === 'migrate';
}

function isUncertain(journaled: JournaledCall): boolean {
  return ['unknown', 'accepted'].includes(outcomeOf(journaled));
}

/**
 * Ports that are gone by all that is known, by their manager's origin: deleted, or asked for one by one and refused because the
 * manager does not know them.
 */
export function deletedPortsIn(runs: readonly Run[]): Map<string, Set<number>> {
  const deleted = new Map<string, Set<number>>();
  for (const { call, answered, failed } of runs.flatMap(({ calls }) => calls)) {
    const isGone = answered !== undefined || failed?.effect === 'none';
    if (call.type !== 'deletePorts' || !isGone || (failed && call.ports.length > 1)) continue;
    const ports = deleted.get(call.manager) ?? new Set();
    for (const port of call.ports) ports.add(port);
    deleted.set(call.manager, ports);
  }
  return deleted;
}

export interface ApplyResult {
  plan: Plan;
  resources: ResourceResult[];
}

export interface ResourceResult extends ResourceId {
  /** `nothing` to do; `skipped` because of a failure before it. */
  outcome: 'done' | 'nothing' | 'failed' | 'skipped';
  made: JournaledCall[];
  /** Planned and not sent. */
  notMade: Call[];
  problems: Problem[];
}
