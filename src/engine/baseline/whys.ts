/** Why a plan moves IPs: because its declaration has changed, or because of what happened to the account since it was applied. */
import { movesOf } from '../../kinds/knownCalls.ts';
import type { Call } from '../../kinds/seam/call.ts';
import { driftComparison } from '../../kinds/seam/comparison.ts';
import type { AnyKind } from '../../kinds/seam/kind.ts';
import type { Move, MoveReason } from '../../kinds/seam/move.ts';
import type { CausedChange } from './causes.ts';

/**
 * `change`: the declaration differs from what was applied. `unfinished`: a run of it did not end well. `run`: a run of something else moved the IP since.
 * `manual`: no run did. Otherwise, only the reason within the declaration is known.
 */
export const whys = ['change', 'unfinished', 'run', 'manual', 'declared', 'count', 'surplus', 'released'] as const;

/** IPs that a plan moves for the same reason. */
export interface MoveWhy extends Pick<CausedChange, 'run' | 'by'> {
  why: (typeof whys)[number];
  ips: readonly string[];
}

/** Returns the moves of a plan, grouped by why they are made. */
export function whysOf(
  definition: AnyKind,
  calls: readonly Call[],
  state: unknown,
  causes: readonly CausedChange[],
): MoveWhy[] {
  const { endedBy, isReturn = () => false } = driftComparison.of(definition) ?? {};
  const ended = endedBy?.(causes);
  const groups = new Map<string, { why: Omit<MoveWhy, 'ips'>; ips: string[] }>();
  for (const move of calls.flatMap(movesOf)) {
    const why = whyOf(move, ended?.(move) ?? [], () => isReturn(move, state));
    const key = `${why.why} ${why.run}`;
    const group = groups.get(key) ?? { why, ips: [] };
    group.ips.push(move.ip);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ why, ips }) => ({ ...why, ips }));
}

/** A change of the declaration comes first: with it, the move would be made in any case. */
function whyOf({ reason }: Move, ended: readonly CausedChange[], isReturn: () => boolean): Omit<MoveWhy, 'ips'> {
  const known = ended.filter(({ isAssumed }) => !isAssumed);
  if (known.some(({ cause, run }) => cause === 'both' || (cause === 'pending' && run === undefined)))
    return { why: 'change' };
  for (const [cause, why] of [
    ['pending', 'unfinished'],
    ['drift', 'run'],
  ] as const) {
    const made = known.find((each) => each.cause === cause && each.run !== undefined);
    if (made !== undefined) return { why, run: made.run, ...(made.by !== undefined && { by: made.by }) };
  }
  // An IP that fills a count need not be the one that was taken away.
  const isManual = known.length > 0 && (reason !== 'count' || isReturn() || hasSurplus(known));
  return { why: isManual ? 'manual' : (reason satisfies MoveReason) };
}

/** Reports whether a zone holds more than it did when it was applied. */
function hasSurplus(changes: readonly CausedChange[]): boolean {
  return changes.some(({ before, after }) => Number(before) > Number(after));
}
