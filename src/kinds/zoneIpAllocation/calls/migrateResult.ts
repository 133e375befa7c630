/** The outcome and the effect of a migration, from its answer and its read-back. */
import type { CallOutcome, CallResult, SentCall } from '../../call.ts';
import type { MigrateCall } from './migrateCall.ts';

export function migrateResult(sent: SentCall<MigrateCall>): CallResult<MigrateCall> {
  const outcome = migrateOutcome(sent);
  return { outcome, effect: migrateEffect(sent, outcome) };
}

function migrateOutcome({ call, answered, failed, seen }: SentCall<MigrateCall>): CallOutcome {
  const requested = call.moves.length;
  // The service says itself that it moved nothing: IPs at their target were moved there by something else.
  if (failed?.effect === 'none' || answered?.count === 0) return 'refused';
  if (seen && 'moved' in seen) {
    if (seen.moved.length === requested) return 'done';
    if (answered?.count === requested && seen.elsewhere.length === 0) return 'accepted';
    if (seen.notVisible.length > 0) return 'unknown';
    if (seen.moved.length > 0 || seen.elsewhere.length > 0) return 'partly';
    return seen.final && failed?.effect === 'unknown' ? 'unknown' : 'refused';
  }
  return answered?.count === requested ? 'accepted' : 'unknown';
}

/** The IPs that a read-back showed at their target; without a read-back, all of a call that was accepted in full. */
function migrateEffect({ call, seen }: SentCall<MigrateCall>, outcome: CallOutcome): MigrateCall | undefined {
  if (outcome === 'refused') return undefined;
  if (seen === undefined || !('moved' in seen)) return outcome === 'accepted' ? call : undefined;
  const moved = new Set(seen.moved);
  const moves = call.moves.filter(({ ip }) => moved.has(ip));
  return moves.length === 0 ? undefined : { ...call, moves };
}
