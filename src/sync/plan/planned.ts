/** A resource with its plan and the data to apply it. */
import type { ServiceError } from '../../service/errors.ts';
import type { Declared } from '../config/config.ts';
import type { ResourcePlan } from './plan.ts';

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
