/** A declared resource, with its plan and the data to apply it. */
import type { AnyKind } from '../../kinds/kind.ts';
import type { ServiceError } from '../../service/errors.ts';
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
