/** The rules of drift: which differences and notes count. */
import { isUnhealthy, isUnmanaged } from '../../kinds/knownNotes.ts';
import type { PlanNote, ResourcePlan } from '../plan/plan.ts';
import type { CausedChange } from './causes.ts';

interface DriftOptions {
  /** Unmanaged IPs count as drift. */
  strict?: boolean | undefined;
  /** Pending changes count as drift. */
  pending?: boolean | undefined;
}

/** Reports whether the resource has drifted, as the exit code of `drift` shows. */
export function isDrift({ calls, causes, notes }: ResourcePlan, options: DriftOptions): boolean {
  const hasDrifted = causes === undefined ? calls.length > 0 : causes.some((change) => isAlarm(change, options));
  return hasDrifted || notes.some((note) => isDriftNote(note, options));
}

/** Reports whether the note is drift that no call would correct. */
export function isDriftNote(note: PlanNote, { strict = false }: DriftOptions): boolean {
  return note.muted === undefined && (isUnhealthy(note) || (strict && isUnmanaged(note)));
}

/** Reports whether the difference counts for the exit code of `drift`. */
function isAlarm(change: CausedChange, { pending = false }: DriftOptions): boolean {
  return !isMuted(change) && (change.cause !== 'pending' || pending);
}

/** An exception for a pending difference changes nothing, so it is not shown. */
export function isMuted({ cause, muted }: CausedChange): boolean {
  return muted !== undefined && cause !== 'pending';
}
