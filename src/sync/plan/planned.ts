/** A resource with its plan, and with what is needed to carry it out. */
import type { ServiceError } from '../../service/errors.ts';
import type { Declared } from '../config/config.ts';
import type { ResourcePlan } from './plan.ts';

export interface Planned {
  declared: Declared;
  intent: Intent;
  plan: ResourcePlan;
  /** As the handlers read it; undefined where they could not. */
  state: unknown;
  concurrencyKey: string;
  /** Why the live state could not be read: it is not known what is to be done, but others may go on. */
  unread?: ServiceError | undefined;
}

export type Intent = 'update' | 'delete';
