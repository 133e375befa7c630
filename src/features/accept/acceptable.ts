/** Decides which resources `drift --accept` may change: it must not undo what is declared and not applied yet. */

import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { type DeclarationBaseline, entryOf } from '../../engine/doors/baseline.ts';
import type { Declared, ResourcePlan } from '../../engine/doors/plan.ts';
import { driftComparison } from '../../kinds/seam/comparison.ts';

export interface Acceptable {
  /** False: the declaration of this resource stays as it is. */
  isAccepted: boolean;
  /** True if the declaration may be removed when the resource does not exist. */
  mayRemove: boolean;
  /** The reason why it stays, if there is something to accept. */
  problem?: Problem;
}

/** `isNamed`: the user named the resource, so its live state is accepted even without a baseline. */
export function acceptabilityOf(
  { definition, spec }: Pick<Declared, 'definition' | 'spec'>,
  plan: ResourcePlan,
  baseline: DeclarationBaseline | undefined,
  isNamed: boolean,
): Acceptable {
  const no = { isAccepted: false, mayRemove: false };
  // Accepting would remove from the declaration a move that the service accepted but no listing shows yet.
  const unseen = plan.problems.find(({ code }) => code === 'accepted-unseen');
  if (unseen !== undefined) return { ...no, problem: unseen };
  if (isNamed) return { isAccepted: true, mayRemove: true };
  const entry = baseline && entryOf(baseline, plan);
  const { causes = [] } = plan;
  const others = causes.filter(({ cause, muted }) => cause !== 'drift' || muted !== undefined);
  if (others.length > 0) {
    const isMixed = others.length < causes.length || others.some(({ cause }) => cause === 'both');
    const isMuted = others.every(({ muted }) => muted !== undefined);
    return isMixed ? { ...no, problem: isMuted ? partlyMuted : partlyPending } : no;
  }
  // Plans with problems have no causes.
  const isChanged =
    driftComparison.of(definition)?.baseline === undefined &&
    entry !== undefined &&
    !isDeepStrictEqual(entry.spec, JSON.parse(JSON.stringify(spec)));
  const isNew = entry === undefined && baseline?.complete === true;
  if (plan.problems.length > 0 && (isChanged || isNew)) return { ...no, problem: partlyPending };
  return { isAccepted: true, mayRemove: entry !== undefined };
}

const nameIt = 'name the resource, `--accept KIND/NAME`, to declare its live state anyway';

const partlyPending: Problem = {
  code: 'changes-pending',
  at: 'key',
  found: 'the resource has changes that are declared and not applied yet, which accepting would undo',
  fix: `apply them first; or ${nameIt}`,
};

const partlyMuted: Problem = {
  code: 'drift-muted',
  at: 'key',
  found: 'an exception mutes a part of the drift, so the resource is accepted only if it is named',
  fix: `wait until the exception has ended; or ${nameIt}`,
};

export const perhapsNeverApplied: Problem = {
  code: 'changes-pending',
  at: 'key',
  found: 'the resource does not exist, and it is not known whether it was removed or never applied',
  fix: 'apply to create it; or name the resource, `--accept KIND/NAME`, to remove its declaration',
};
