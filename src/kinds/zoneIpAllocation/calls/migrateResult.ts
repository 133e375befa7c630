/** The outcome and the effect of a migration, from its answer and its read-back. */
import type { CallOutcome, CallResult, SeenItems, SentCall } from '../../seam/call.ts';
import type { MigrateCall } from './migrateCall.ts';

export function migrateResult(sent: SentCall<MigrateCall>): CallResult<MigrateCall> {
  const outcome = migrateOutcome(sent);
  return { outcome, effect: migrateEffect(sent, outcome) };
}

/** A 2xx accepts the call for each of its IPs. Its count says how many moved and not which: it proves that IPs stayed only once that many arrived. */
function migrateOutcome({ call, answered, failed, seen }: SentCall<MigrateCall>): CallOutcome {
  // The service says itself that it moved nothing: IPs at their target were moved there by something else.
  if (failed?.effect === 'none' || answered?.count === 0) return 'refused';
  if (seen === undefined || !('moved' in seen)) return answered ? 'accepted' : 'unknown';
  if (seen.moved.length === call.moves.length) return 'done';
  const areAllKnown = seen.notMoved.length + seen.notVisible.length === 0;
  if (answered && !areAllKnown && !isCountReached(answered.count, seen)) return 'accepted';
  if (seen.notVisible.length > 0) return 'unknown';
  if (seen.moved.length > 0 || seen.elsewhere.length > 0) return 'partly';
  return seen.final && failed?.effect === 'unknown' ? 'unknown' : 'refused';
}

/**
 * Returns true if as many IPs arrived as the service counted, so that the others stayed. IPs that another user moved are not counted as
 * arrived: the service may not have counted them either.
 */
export function isCountReached(count: number | undefined, { moved }: Pick<SeenItems, 'moved'>): boolean {
  return count !== undefined && count <= moved.length;
}

/** The IPs that a read-back showed at their target; without a read-back, all of a call whose answer counts them all. */
function migrateEffect({ call, answered, seen }: SentCall<MigrateCall>, outcome: CallOutcome): MigrateCall | undefined {
  if (outcome === 'refused') return undefined;
  if (seen === undefined || !('moved' in seen)) {
    return answered?.count === call.moves.length ? call : undefined;
  }
  const moved = new Set(seen.moved);
  const moves = call.moves.filter(({ ip }) => moved.has(ip));
  return moves.length === 0 ? undefined : { ...call, moves };
}
