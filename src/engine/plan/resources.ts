/** A declared resource, with its plan and the data to apply it. */

import type { ServiceError } from '../../client/errors.ts';
import type { AnyKind } from '../../kinds/seam/kind.ts';
import type { ResourceId, ResourcePlan } from './plan.ts';

/** A declared resource. */
export interface Declared extends ResourceId {
  definition: AnyKind;
  spec: unknown;
}

export interface Planned {
  declared: Declared;
  intent: Intent;
  plan: ResourcePlan;
  /** The live state that the kind observed; undefined if that failed. */
  state: unknown;
  concurrencyKey: string;
  /** The error of reading the live state. Other resources can still be applied. */
  unread?: ServiceError | undefined;
}

export type Intent = 'update' | 'delete';

/**
 * Reports whether problems stop everything before the first call. Live state that cannot be read stops only its own resource, if another
 * one has calls.
 */
export function isRefused(planned: readonly Pick<Planned, 'plan' | 'unread'>[]): boolean {
  const hasCalls = planned.some(({ plan, unread }) => unread === undefined && plan.calls.length > 0);
  return planned.some(({ plan, unread }) => plan.problems.length > 0 && (unread === undefined || !hasCalls));
}
